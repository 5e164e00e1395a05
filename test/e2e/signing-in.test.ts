import { afterAll, beforeAll, expect, test } from 'vitest'
import { choose, fillIn, greeted } from '../support/browser/login-steps.ts'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { openWithDemoLogin, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openWithDemoLogin()
})
afterAll(() => shop.close())

inEachMode(mode => {
  test('logging in from the menu, and out', async () => {
    const { user, password } = await shop.signUp('guest')
    const there = await visit(shop, mode)
    await there.go('/')
    expect(await there.one('link', '+ Add a product listing').count()).toBe(0)
    await choose(there, 'Log In')
    await fillIn(there, { Email: user.email, Password: password })
    await there.press('button', 'Log In')
    await there.arrives('/')
    await there.one('link', '+ Add a product listing').waitFor()
    if (there.scripted) await there.one('dialog', 'Log In').waitFor({ state: 'hidden' })
    await greeted(there, user.username)
    await there.sees(user.email)
    await there.press('link', 'Your Orders')
    await there.arrives('/orders/view')
    await there.openMenu()
    const paths: string[] = []
    there.page.on('framenavigated', frame => paths.push(new URL(frame.url()).pathname))
    await there.press('link', 'Log Out')
    await there.arrives('/')
    await there.one('link', '+ Add a product listing').waitFor({ state: 'hidden' })
    expect(paths).not.toContain('/login')
    await there.openMenu()
    for (const name of ['Log In', 'Sign Up']) await there.one('link', name).waitFor()
  })

  test('the login page reports missing and wrong fields, and leads home', async () => {
    const { user, password } = await shop.signUp('guest')
    const there = await visit(shop, mode, { expects: [/status of 40[01]/] })
    await there.go('/login')
    if (there.scripted) {
      await there.press('button', 'Log In')
      await there.describes('Email', 'Email is required')
      await there.describes('Password', 'Password is required')
    } else {
      for (const label of ['Email', 'Password'])
        expect(await there.field(label).getAttribute('required')).toBe('')
    }
    await fillIn(there, { Email: user.email, Password: 'wrong' })
    await there.press('button', 'Log In')
    await there.page.getByText('The email or password is not correct').first().waitFor()
    expect(await there.valueOf('Email')).toBe(user.email)
    await there.fill('Password', password)
    const show = there.one('button', 'Show password')
    if (there.scripted) {
      const type = () => there.field('Password').getAttribute('type')
      await there.pressThis(show)
      expect([await type(), await there.valueOf('Password')]).toEqual(['text', password])
      await there.pressThis(show)
      expect([await type(), await there.valueOf('Password')]).toEqual(['password', password])
    } else expect(await show.count()).toBe(0)
    await there.press('button', 'Log In')
    await there.arrives('/')
    for (const path of ['/login', '/signup']) {
      await there.go(path)
      await there.arrives('/')
    }
  })

  test('the demo login fills in the fields', async () => {
    const there = await visit(shop, mode)
    await there.go('/login')
    await there.press('link', 'Demo User')
    await eventually(() => there.valueOf('Email')).toBe('demo@example.com')
    expect(await there.valueOf('Password')).toBe('handmade')
    await there.go('/')
    await choose(there, 'Log In')
    await there.press('link', 'Demo User')
    await eventually(() => there.valueOf('Password')).toBe('handmade')
  })

  test('a visitor who wants the cart is asked to log in', async () => {
    const { user, password } = await shop.signUp('guest')
    const seller = await shop.signUp('seller')
    const mug = await shop.list(seller)
    const there = await visit(shop, mode, { expects: [/status of 401/] })
    await there.go(`/products/${mug.id}`)
    await there.press('button', 'Add to cart')
    await there.sees('Please login to add items to cart.')
    await there.openCart()
    if (there.scripted) {
      await there.dialog('Log In')
      await there.page.getByRole('form', { name: 'Log in to see your cart' }).waitFor()
      await there.page.keyboard.press('Escape')
      await there.one('dialog', 'Log In').waitFor({ state: 'hidden' })
      await there.go('/cart')
    }
    await there.arrives('/cart')
    expect(await there.page.locator('main').textContent()).toBe('Log In')
    await there.pressThis(there.page.locator('main').getByText('Log In', { exact: true }))
    await there.dialog('Log In')
    await fillIn(there, { Email: user.email, Password: password })
    await there.press('button', 'Log In')
    await there.heading('Shopping Cart')
    await there.sees('Your cart is empty')
    await there.arrives('/cart')
  })
})

/** Visible fields of a form, and whether each is required. */
const fieldsIn = (there: Visit, button: string) =>
  there.page
    .locator('form')
    .filter({ has: there.one('button', button) })
    .locator('input:not([type="hidden"])')
    .evaluateAll(all =>
      (all as HTMLInputElement[]).map(({ name, required }) => `${name}${required ? ', required' : ''}`),
    )

test('login and signup have these fields and no others, in the dialog and on the page', async () => {
  const fields = {
    'Log In': ['email', 'password'],
    'Sign Up': ['email', 'first_name', 'last_name', 'username', 'password', 'confirm_password'],
  }
  for (const [name, asked] of Object.entries(fields)) {
    const required = asked.map(field => `${field}, required`)
    const there = await visit(shop, 'with scripts')
    await there.go('/')
    await choose(there, name as 'Log In' | 'Sign Up')
    await there.one('button', name).waitFor()
    expect(await fieldsIn(there, name)).toEqual(required)
    await there.go(`/${name.toLowerCase().replace(' ', '')}`)
    expect(await fieldsIn(there, name)).toEqual(required)
  }
})
