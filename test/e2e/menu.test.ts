import { afterAll, beforeAll, expect, test } from 'vitest'
import { settled } from '../support/browser/browser.ts'
import { eventually, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const isOpen = (there: Visit) => there.one('link', 'Log In').isVisible()

async function openedMenu(): Promise<Visit> {
  const there = await visit(shop, 'by keyboard')
  await there.go('/')
  await there.openMenu()
  await eventually(() => isOpen(there)).toBe(true)
  return there
}

test('the menu closes on a click beside it', async () => {
  const there = await openedMenu()
  await there.one('heading', 'Welcome to Thrum').click()
  await eventually(() => isOpen(there)).toBe(false)
})

test('the menu closes on a click that moves no focus', async () => {
  const there = await openedMenu()
  await there.one('heading', 'The team').click()
  await eventually(() => isOpen(there)).toBe(false)
})

test('the menu opens and closes with the space bar', async () => {
  const there = await openedMenu()
  await there.page.keyboard.press('Space')
  await eventually(() => isOpen(there)).toBe(false)
  await there.page.keyboard.press('Space')
  await eventually(() => isOpen(there)).toBe(true)
})

test('a user’s menu has their name, orders, listings and logout', async () => {
  const person = await shop.signUp('known')
  const there = await visit(shop, 'with scripts', { signedInAs: person })
  await there.go('/')
  await there.openMenu()
  for (const text of [person.user.username, person.user.email]) await there.sees(text)
  const links = there.page.getByRole('banner').locator('details').getByRole('link')
  const leading = links.evaluateAll(all => all.map(link => [link.textContent, link.getAttribute('href')]))
  expect(await leading).toEqual([
    ['Your Orders', '/orders/view'],
    ['Your Listings', '/your-listings'],
    ['Sold', '/sold'],
    ['Favorites', '/favourites'],
    ['Messages', '/messages'],
    ['Settings', '/settings'],
    ['Log Out', '/api/auth/logout'],
  ])
})

test('without the demo setting there is no demo user', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/login')
  await there.one('button', 'Log In').waitFor()
  expect(await there.text('Demo User').count()).toBe(0)
})

test('the menu closes on Escape and returns the focus', async () => {
  const there = await openedMenu()
  await there.tabTo(there.one('link', 'Sign Up'))
  await there.page.keyboard.press('Escape')
  await eventually(() => isOpen(there)).toBe(false)
  expect(await there.profile.evaluate(element => element === document.activeElement)).toBe(true)
})

test('the menu closes when the focus leaves it, and stays while it is inside', async () => {
  const there = await openedMenu()
  await there.tabTo(there.one('link', 'Sign Up'))
  expect(await isOpen(there)).toBe(true)
  await there.page.keyboard.press('Tab')
  await eventually(() => isOpen(there)).toBe(false)
})

test('a dialog traps the focus and returns it', async () => {
  const there = await visit(shop, 'by keyboard')
  await there.go('/')
  await there.openCart()
  const dialog = there.one('dialog', 'Log In')
  await dialog.waitFor()
  await there.field('Email').waitFor()
  const outside = there.page.locator('body :focus:not(dialog, dialog *)')
  for (let presses = 0; presses < 8; presses++) {
    await there.page.keyboard.press('Tab')
    expect(await outside.count()).toBe(0)
  }
  await there.press('button', 'Close')
  await dialog.waitFor({ state: 'hidden' })
  expect(await there.cart.evaluate(element => element === document.activeElement)).toBe(true)
})

test('a dialog closes on a click beside it', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/')
  await there.openCart()
  const dialog = there.one('dialog', 'Log In')
  await dialog.waitFor()
  await there.page.mouse.click(5, 5)
  await dialog.waitFor({ state: 'hidden' })
  expect(there.path).toBe('/')
})

test('the session is rendered on the server: nothing flickers', async () => {
  const person = await shop.signUp('known')
  const { username } = person.user
  expect((await person.get('/')).body).toContain(username)
  expect((await shop.visitor().get('/')).body).not.toContain('Log Out')

  const there = await visit(shop, 'with scripts', { signedInAs: person })
  // Records whether the document ever shows a visitor's header.
  await there.page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    const record = () => {
      const header = document.querySelector('.site-header, header')?.textContent ?? ''
      if (header.includes('Sign Up')) seen.push(header)
    }
    new MutationObserver(record).observe(document, { childList: true, subtree: true, characterData: true })
  })
  await there.page.goto('/')
  await settled(there.page)
  await there.openMenu()
  await there.sees(username)
  expect(await there.page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
})

test('logging out elsewhere shows on the next page', async () => {
  const person = await shop.signUp('known')
  const there = await visit(shop, 'with scripts', { signedInAs: person })
  await there.go('/')
  await there.page.context().clearCookies()
  await there.go('/')
  await there.openMenu()
  await there.one('link', 'Log In').waitFor()
})
