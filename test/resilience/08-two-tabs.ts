import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../support/browser/chromium.ts'
import { type RealShop, withShop } from '../support/harness.ts'
import type { Person } from '../support/person.ts'
import { Faults, type Scenario } from '../support/scenario.ts'

const YES = 'Yes (place order)'

const yes = (page: Page) => page.getByRole('button', { name: YES })

async function twoTabs(
  shop: RealShop,
  browser: Browser,
  javaScriptEnabled: boolean,
  faults: Faults,
): Promise<void> {
  const mode = javaScriptEnabled ? 'with scripts' : 'without scripts'
  const [seller, buyer] = [await shop.signUp('seller'), await shop.signUp('buyer')]
  const { id } = await shop.list(seller, { price: 10, stock: 9 })
  await buyer.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const ordersOf = async (person: Person) => (await person.get('/api/orders/')).body.length
  const context = await browser.newContext({ baseURL: shop.address, javaScriptEnabled })
  const [name = '', value = ''] = buyer.cookie.split('=')
  await context.addCookies([{ name, value, url: shop.address }])
  const [a, b] = [await context.newPage(), await context.newPage()]
  const consoleLines: string[] = []
  b.on('console', message => consoleLines.push(message.text()))
  b.on('pageerror', error => consoleLines.push(String(error)))
  await a.goto('/cart')
  await a.getByRole('button', { name: 'Proceed to checkout' }).click()
  await yes(a).waitFor()
  // B changes the cart, A confirms what it still shows.
  await b.goto('/cart')
  await b.getByRole('combobox', { name: /^Quantity of/ }).selectOption('3')
  if (!javaScriptEnabled) await b.getByRole('button', { name: 'Update' }).click()
  await b
    .getByText('Total Price: $30.00')
    .waitFor()
    .catch(async error => {
      const shows = await b.locator('main').textContent()
      throw new Error(`${mode}: B shows ${shows}, and logged ${consoleLines}`, { cause: error })
    })
  await yes(a).click()
  await a.getByRole('alert').waitFor()
  const message = (await a.getByRole('alert').first().textContent()) ?? ''
  faults.expect(
    message.includes('The total is now $30.00 instead of $10.00'),
    `${mode}: A was shown ${message}`,
  )
  // The cart reloads after the response.
  const isNew = a.getByText('Total Price: $30.00').first().waitFor({ timeout: 5_000 })
  faults.expect(
    await isNew.then(
      () => true,
      () => false,
    ),
    `${mode}: A does not show the new total`,
  )
  faults.expect((await ordersOf(buyer)) === 0, `${mode}: ordered what A did not show`)
  await yes(a).click()
  await a.waitForURL('**/orders/view')
  // Back to the dialog of the placed order.
  await a.goBack()
  await a.waitForLoadState()
  const still = yes(a)
  if (await still.isVisible().catch(() => false)) await still.click({ timeout: 2_000 }).catch(() => {})
  await a
    .locator('main')
    .getByText(/^Your cart is empty$|^Your Orders$/)
    .waitFor()
  // B still shows the cart, and orders.
  await b.getByRole('button', { name: 'Proceed to checkout' }).click()
  await b.getByText('Your cart is empty').waitFor()
  const orders = await ordersOf(buyer)
  faults.expect(orders === 1, `${mode}: ${orders} orders`)
  await context.close()
}

export const scenario: Scenario = {
  risk: 'two tabs, Back button',
  promise: 'change the cart in B, confirm in A; go back after ordering: refreshed, no second order',
  async run() {
    const faults = new Faults()
    const browser = await launchChromium()
    try {
      await withShop({}, async shop => {
        for (const scripts of [true, false]) await twoTabs(shop, browser, scripts, faults)
      })
    } finally {
      await browser.close()
    }
    return faults.outcome(
      'with and without scripts: A shows the new total and places no order with the old one; after Back and in B the cart is empty; one order',
    )
  },
}
