import { afterAll, beforeAll, expect, test } from 'vitest'
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
import { eventually, visit } from '../support/browser/steps.ts'
import type { TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openNamedShop()
})
afterAll(() => shop.close())

test('the login dialog takes a passkey too, and the page stays', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await withDevice(there)
  await withoutSuggestions(there)
  await there.go('/settings/security')
  await add(there, ana, 'Phone')
  await endSession(there)
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

test('the e-mail field suggests passkeys, and a suggestion logs in', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await withDevice(there)
  await there.go('/settings/security')
  await add(there, ana, 'Phone')
  await endSession(there)
  await there.page.goto('/login?next=%2Forders%2Fview')
  // The virtual authenticator takes the suggestion at once.
  await there.arrives('/orders/view')
  await there.openMenu()
  await there.sees(ana.user.username)
})

test('a removed passkey does not log in, and the form shows why', async () => {
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
  await endSession(there)
  await there.go('/login')
  await there.press('button', 'Log in with a passkey')
  await there.sees(
    'This passkey is not known here. If you have removed it, log in with another one or your password',
  )
})

test('a browser without passkeys shows a message, and logs in with the password', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await there.page.addInitScript(() => {
    Object.assign(window, { PublicKeyCredential: undefined })
  })
  await there.go('/settings/security')
  await there.sees('This browser cannot use passkeys. A newer one can.')
  await endSession(there)
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
  await endSession(there)
  await there.go('/login')
  expect(await there.one('button', 'Log in with a passkey').count()).toBe(0)
  expect(await there.field('Email').getAttribute('autocomplete')).toBe('username')
})
