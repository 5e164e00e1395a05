import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import {
  add,
  endSession,
  open,
  openNamedShop,
  pressFor,
  status,
  withDevice,
  withoutSuggestions,
} from '../support/browser/passkey-steps.ts'
import { visit } from '../support/browser/steps.ts'
import type { Person, TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openNamedShop()
})
afterAll(() => shop.close())

const named = async ({ user }: Person) =>
  (await shop.rows(`select name from passkeys where user_id = ${user.id}`)).map(({ name }) => name)

test.each(['with scripts', 'by keyboard'] as const)(
  'a passkey is added, logs in, is renamed and removed, %s',
  async mode => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 400/] })
    await withDevice(there)
    await withoutSuggestions(there)
    await there.go('/settings/security')
    await there.fill('Current password, to add it', 'not-it')
    await there.press('button', 'Add a passkey')
    await there.describes('Current password, to add it', 'The current password is not correct')
    // The first one has none that could confirm it.
    const confirm = there.page.getByRole('button', { name: 'Confirm with a passkey', exact: true })
    expect(await confirm.count()).toBe(0)
    await add(there, ana, 'Phone')
    await confirm.waitFor()
    await there.sees('Not used yet')
    expect(await named(ana)).toEqual(['Phone'])

    // On a device that has one.
    await there.fill('Current password, to add it', ana.password)
    await there.press('button', 'Add a passkey')
    await there.sees('This device has a passkey for your account already')
    expect(await named(ana)).toEqual(['Phone'])

    await there.openMenu()
    await there.press('link', 'Log Out')
    await there.arrives('/')
    await there.go('/login?next=%2Fsettings%2Fsecurity')
    await there.press('button', 'Log in with a passkey')
    await there.arrives('/settings/security')
    await there.page
      .getByText(/^Last used /)
      .first()
      .waitFor()

    await open(there, 'Rename', 'Phone')
    await there.fill('New name', 'Blue phone')
    await pressFor(there, /^Save the name of Phone/)
    await status(there, 'The passkey has its new name')
    await there.sees('Blue phone')

    await open(there, 'Remove', 'Blue phone')
    await there.fill('Current password, to remove it', 'not-it')
    await pressFor(there, /^Remove Blue phone, added \w+ \d+, \d+$/)
    await there.describes('Current password, to remove it', 'The current password is not correct')
    await pressFor(there, /^Confirm with a passkey: remove Blue phone/)
    await status(there, 'The passkey is removed')
    expect(await named(ana)).toEqual([])
  },
)

test('a cancelled request shows a message, loses nothing, and can be repeated', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  const { devtools, device } = await withDevice(there)
  await withoutSuggestions(there)
  await there.go('/settings/security')
  const CANCELLED = 'No passkey was used. Nothing has changed: you can try again'
  // Without its user the device refuses, as a browser does after Cancel.
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId: device, isUserVerified: false })
  await there.fill('Name of the passkey', 'Phone')
  await there.fill('Current password, to add it', ana.password)
  await there.press('button', 'Add a passkey')
  await there.sees(CANCELLED)
  expect(await named(ana)).toEqual([])
  expect(await there.valueOf('Name of the passkey')).toBe('Phone')
  expect(await there.valueOf('Current password, to add it')).toBe(ana.password)
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId: device, isUserVerified: true })
  await there.press('button', 'Add a passkey')
  await status(there, 'The passkey “Phone” is added')

  await endSession(there)
  await there.go('/login')
  await there.fill('Email', 'half@')
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId: device, isUserVerified: false })
  await there.press('button', 'Log in with a passkey')
  await there.sees(CANCELLED)
  expect(await there.valueOf('Email')).toBe('half@')
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId: device, isUserVerified: true })
  await there.press('button', 'Log in with a passkey')
  await there.arrives('/')
})

test('without scripts passkeys are renamed and removed, and the page shows what adding needs', async () => {
  const ana = await shop.signUp('ana')
  const scripted = await visit(shop, 'with scripts', { signedInAs: ana })
  await withDevice(scripted)
  await scripted.go('/settings/security')
  await add(scripted, ana, 'Phone')

  const there = await visit(shop, 'without scripts', { signedInAs: ana, expects: [/status of 400/] })
  await there.go('/settings/security')
  await there.sees('Adding a passkey needs scripts: the browser itself has to ask your device.')
  expect(await there.one('button', 'Add a passkey').count()).toBe(0)
  await open(there, 'Rename', 'Phone')
  await there.fill('New name', ' ')
  await pressFor(there, /^Save the name of Phone/)
  await there.describes('New name', 'Name is required')
  await there.fill('New name', 'Blue phone')
  await pressFor(there, /^Save the name of Phone/)
  await status(there, 'The passkey has its new name')
  await there.arrives('/settings/security')
  await open(there, 'Remove', 'Blue phone')
  await there.fill('Current password, to remove it', 'not-it')
  await pressFor(there, /^Remove Blue phone/)
  await there.describes('Current password, to remove it', 'The current password is not correct')
  await there.fill('Current password, to remove it', ana.password)
  await pressFor(there, /^Remove Blue phone/)
  await status(there, 'The passkey is removed')
  expect(await named(ana)).toEqual([])
  await endSession(there)
  await there.go('/login')
  expect(await there.one('button', 'Log in with a passkey').count()).toBe(0)
})

test.each([
  ['light', 320],
  ['dark', 320],
  ['light', 1280],
  ['dark', 1280],
] as const)('the forms of passkeys have no barriers and fit, %s at %i pixels', async (theme, width) => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', {
    signedInAs: ana,
    theme,
    width,
    expects: [/status of 400/],
  })
  await withDevice(there)
  await withoutSuggestions(there)
  const looked = async () => {
    expect(await barriers(there.page)).toEqual([])
    const { scrolls, fits } = await there.page.evaluate(() => ({
      scrolls: document.documentElement.scrollWidth,
      fits: document.documentElement.clientWidth,
    }))
    expect(scrolls).toBeLessThanOrEqual(fits)
  }
  await there.go('/settings/security')
  await looked()
  const name = 'A-long-name-without-blanks-'.repeat(2)
  await add(there, ana, name)
  for (const what of ['Rename', 'Remove'] as const) await open(there, what, name)
  await there.fill('Current password, to remove it', 'not-it')
  await pressFor(there, /^Remove A-long.*\d$/)
  await there.describes('Current password, to remove it', 'The current password is not correct')
  await looked()
  await endSession(there)
  await there.go('/login')
  expect(await there.field('Email').getAttribute('autocomplete')).toBe('username webauthn')
  await there.one('button', 'Log in with a passkey').waitFor()
  await looked()
})
