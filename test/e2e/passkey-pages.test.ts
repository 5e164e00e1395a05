import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import { eventually, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  const own = await openShop()
  // Browsers offer no passkeys at an IP address.
  shop = { ...own, address: own.address.replace('127.0.0.1', 'localhost') }
})
afterAll(() => shop.close())

/** The browser's virtual authenticator: a device with a PIN that keeps passkeys, and says yes at once. */
async function withDevice(there: Visit): Promise<{ devtools: CDPSession; device: string }> {
  const devtools = await there.page.context().newCDPSession(there.page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId: device } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devtools, device }
}

/** As a browser that suggests no passkeys: the virtual authenticator would take a suggestion at once. */
const withoutSuggestions = (there: Visit) =>
  there.page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

const named = async ({ user }: Person) =>
  (await shop.rows(`select name from passkeys where user_id = ${user.id}`)).map(({ name }) => name)
const status = (there: Visit, words: string) => there.page.getByRole('status').getByText(words).waitFor()

async function add(there: Visit, person: Person, name: string): Promise<void> {
  await there.fill('Name of the passkey', name)
  await there.fill('Current password, to add it', person.password)
  await there.press('button', 'Add a passkey')
  await status(there, `The passkey “${name}” is added`)
}

/** Ends the browser’s session, as a user does who comes back later. */
async function leave(there: Visit): Promise<void> {
  // The page loads its data again after a change.
  await there.page.locator('main[aria-busy=false]').waitFor()
  await there.page.context().clearCookies()
}

/** Opens the form behind a summary such as 'Rename Phone, added March 7, 2026'. */
const open = (there: Visit, what: 'Rename' | 'Remove', name: string) =>
  there.pressThis(there.page.locator(`summary[aria-label^="${what} ${name},"]`))
const pressFor = (there: Visit, label: RegExp) =>
  there.pressThis(there.page.getByRole('button', { name: label }))

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

test('the login dialog takes a passkey too, and the page stays', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await withDevice(there)
  await withoutSuggestions(there)
  await there.go('/settings/security')
  await add(there, ana, 'Phone')
  await leave(there)
  await there.go('/search')
  await there.openMenu()
  await there.press('link', 'Log In')
  await there.dialog('Log In')
  await there.press('button', 'Log in with a passkey')
  await there.one('dialog', 'Log In').waitFor({ state: 'hidden' })
  expect(there.path).toBe('/search')
  await there.openMenu()
  await there.sees(ana.user.username)
})

test('a cancelled request says so, loses nothing, and can be repeated', async () => {
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

  await leave(there)
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

test('the e-mail field suggests passkeys, and a suggestion logs in', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await withDevice(there)
  await there.go('/settings/security')
  await add(there, ana, 'Phone')
  await leave(there)
  await there.page.goto('/login?next=%2Forders%2Fview')
  // The virtual authenticator takes the suggestion at once.
  await there.arrives('/orders/view')
  await there.openMenu()
  await there.sees(ana.user.username)
})

test('a passkey that was removed does not log in, and the form says why', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana, expects: [/status of 401/] })
  await withDevice(there)
  await withoutSuggestions(there)
  await there.go('/settings/security')
  await add(there, ana, 'Phone')
  await open(there, 'Remove', 'Phone')
  await there.fill('Current password, to remove it', ana.password)
  await pressFor(there, /^Remove Phone, added \w+ \d+, \d+$/)
  await status(there, 'The passkey is removed')
  await leave(there)
  await there.go('/login')
  await there.press('button', 'Log in with a passkey')
  await there.sees(
    'This passkey is not known here. If you have removed it, log in with another one or your password',
  )
})

test('without scripts passkeys are renamed and removed, and the page says what adding needs', async () => {
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
  await leave(there)
  await there.go('/login')
  expect(await there.one('button', 'Log in with a passkey').count()).toBe(0)
})

test('a browser without passkeys says so, and logs in with the password', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await there.page.addInitScript(() => {
    Object.assign(window, { PublicKeyCredential: undefined })
  })
  await there.go('/settings/security')
  await there.sees('This browser cannot use passkeys. A newer one can.')
  await leave(there)
  await there.go('/login')
  await there.one('button', 'Log In').waitFor()
  await eventually(() => there.one('button', 'Log in with a passkey').count()).toBe(0)
  await there.fill('Email', ana.user.email)
  await there.fill('Password', ana.password)
  await there.press('button', 'Log In')
  await there.arrives('/')
})

test('at an address without passkeys nothing offers them', async () => {
  const ana = await shop.signUp('ana')
  const address = shop.address.replace('localhost', '127.0.0.1')
  const there = await visit({ ...shop, address }, 'with scripts', { signedInAs: ana })
  await there.go('/settings/security')
  await there.heading('Your password')
  expect(await there.one('heading', 'Your passkeys').count()).toBe(0)
  await leave(there)
  await there.go('/login')
  expect(await there.one('button', 'Log in with a passkey').count()).toBe(0)
  expect(await there.field('Email').getAttribute('autocomplete')).toBe('username')
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
  await leave(there)
  await there.go('/login')
  expect(await there.field('Email').getAttribute('autocomplete')).toBe('username webauthn')
  await there.one('button', 'Log in with a passkey').waitFor()
  await looked()
})
