import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../test/shop.ts'
import { barriers } from './axe.ts'
import { picture, type Visit, visit } from './steps.ts'

let shop: TestShop
let person: Person
let newcomer: Person
const ids = { product: 0, soldOut: 0, order: 0, review: 0 }
beforeAll(async () => {
  shop = await openShop({ pages: true, listen: true, settings: { DEMO: 'on' } })
  person = await shop.signUp('person')
  const other = await shop.signUp('other')
  newcomer = await shop.signUp('newcomer')
  await person.put(`/api/favourites/${ids.product}`)
  const about = {
    words: 'I make pots. '.repeat(30),
    place: 'In-a-house-without-a-number-behind-the-old-mill',
  }
  const own = `/api/shops/${person.user.username}`
  await person.put(own, about)
  await person.upload(`${own}/picture`, (await picture()).buffer)
  const name = 'An uncommonly-long-word-that-no-line-can-hold-pot'
  ids.product = (await shop.list(person, { name, stock: 2 })).id
  const photos = `/api/products/${ids.product}/images`
  for (const { buffer } of [await picture(), await picture()]) await person.upload(photos, buffer)
  ids.soldOut = (await shop.list(other, { name: 'Last bowl', stock: 1 })).id
  const put = (id: number) => person.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  await put(ids.soldOut)
  ids.order = (await person.post('/api/orders/checkout')).body.id
  await put(ids.product)
  for (const [author, stars] of [[person, 5] as const, [other, 2] as const]) {
    const words = { review: 'x'.repeat(300), stars }
    ids.review = (await author.post(`/api/reviews/${ids.product}/create-review`, words)).body.id
    await person.put(`/api/reviews/${ids.review}/reply`, { reply: 'y'.repeat(300) })
  }
})
afterAll(() => shop.close())

type Steps = (there: Visit) => Promise<unknown>
interface Screen {
  name: string
  path: () => string
  visitor?: boolean
  /** What has to be done there before it is looked at. */
  steps?: Steps
  expects?: RegExp
}

const opensMenu: Steps = there => there.openMenu()
const presses =
  (name: string, title: string): Steps =>
  async there => {
    await there.one('button', name).first().click()
    await there.one('dialog', title).waitFor()
  }
const fromMenu =
  (name: 'Log In' | 'Sign Up'): Steps =>
  async there => {
    await there.openMenu()
    await there.press('link', name)
    const dialog = there.one('dialog', name)
    await dialog.getByRole('button', { name }).click()
    await dialog.locator('[aria-invalid]').first().waitFor()
  }
const submits =
  (name: string): Steps =>
  async there => {
    await there.press('button', name)
    await there.page.locator('[aria-invalid]').first().waitFor()
  }

const shopOf = ({ user }: Person) => `/shops/${user.username}`
const product = () => `/products/${ids.product}`
const screens: Screen[] = [
  { name: 'landing page', path: () => '/', visitor: true },
  { name: 'landing page, signed in', path: () => '/' },
  { name: 'menu of somebody signed in', path: () => '/search', steps: opensMenu },
  { name: 'category', path: () => '/categories/home-living', visitor: true },
  { name: 'maker', path: () => shopOf(person), visitor: true },
  { name: 'own page of a maker', path: () => shopOf(person) },
  { name: 'maker without listings', path: () => shopOf(newcomer), visitor: true },
  { name: 'favourites', path: () => '/favourites' },
  { name: 'settings of the shop page', path: () => '/settings/shop' },
  {
    name: 'settings with messages',
    path: () => '/settings/shop',
    steps: async there => {
      await there.fill('About you', 'x'.repeat(501))
      await submits('Save')(there)
    },
  },
  { name: 'search', path: () => '/search?q=pot', visitor: true },
  {
    name: 'search, filters open',
    path: () => '/search?min=1',
    steps: there => there.page.getByText('Filter and sort').click(),
  },
  { name: 'search, prices crossed', path: () => '/search?min=2&max=1', expects: /status of 400/ },
  { name: 'search without a match', path: () => '/search?q=pot&max=1' },
  {
    name: 'suggestions',
    path: () => '/search',
    steps: async there => {
      await there.page.locator('.search input:visible').fill('pot')
      await there.page.locator('.suggestions [role=option]').first().waitFor()
    },
  },
  { name: 'menu of a visitor', path: () => '/', visitor: true, steps: opensMenu },
  { name: 'login dialog', path: () => '/', visitor: true, steps: fromMenu('Log In') },
  { name: 'signup dialog', path: () => '/', visitor: true, steps: fromMenu('Sign Up') },
  { name: 'login page', path: () => '/login', visitor: true },
  { name: 'signup page', path: () => '/signup', visitor: true },
  { name: 'product', path: product },
  {
    name: 'product, added to the cart',
    path: product,
    steps: async there => {
      await there.press('button', 'Add to cart')
      await there.page.getByRole('status').locator('p').first().waitFor()
    },
    expects: /status of 409/,
  },
  { name: 'product for a visitor', path: product, visitor: true },
  {
    name: 'enlarged photo',
    path: product,
    steps: async there => {
      await there.page.getByRole('link', { name: 'Enlarge' }).click()
      await there.page.getByRole('dialog').waitFor()
    },
  },
  { name: 'product, sold out, without reviews', path: () => `/products/${ids.soldOut}` },
  { name: 'edit review dialog', path: product, steps: presses('Edit Review', 'Edit your review') },
  {
    name: 'delete review dialog',
    path: product,
    steps: presses('Delete Review', 'Are you sure you want to delete?'),
  },
  { name: 'edit review page', path: () => `${product()}/edit-review` },
  { name: 'delete review page', path: () => `${product()}/delete-review` },
  {
    name: 'create review page with messages',
    path: () => `/products/${ids.soldOut}/create-review`,
    steps: submits('Leave Review'),
  },
  {
    name: 'product, reviews chosen by stars',
    path: () => `${product()}?stars=2&sort=highest`,
    visitor: true,
  },
  { name: 'reply page', path: () => `${product()}/reply?review=${ids.review}` },
  { name: 'reviews', path: () => `${product()}/reviews` },
  { name: 'your listings', path: () => '/your-listings' },
  { name: 'delete listing dialog', path: () => '/your-listings', steps: deletes },
  { name: 'security', path: () => '/settings/security' },
  {
    name: 'security with messages',
    path: () => '/settings/security',
    steps: submits('Change password'),
  },
  { name: 'add listing', path: () => '/products/new' },
  { name: 'add listing with messages', path: () => '/products/new', steps: submits('Add a listing') },
  { name: 'edit listing', path: () => `${product()}/edit` },
  {
    name: 'edit listing with messages',
    path: () => `${product()}/edit`,
    steps: async there => {
      await there.fill('Name', '')
      await submits('Update listing')(there)
    },
  },
  { name: 'cart', path: () => '/cart' },
  { name: 'cart of a visitor', path: () => '/cart', visitor: true },
  {
    name: 'checkout dialog',
    path: () => '/cart',
    steps: presses('Proceed to checkout', 'Review Your Order'),
  },
  { name: 'orders', path: () => '/orders/view' },
  { name: 'cancel dialog', path: () => '/orders/view', steps: cancels },
  { name: 'cancel page', path: () => `/orders/${ids.order}/delete-order` },
  { name: '404 page', path: () => '/nothing', expects: /status of 404/ },
]

async function deletes(there: Visit): Promise<void> {
  await there.page.getByRole('button', { name: 'Delete' }).first().click()
  await there.one('dialog', 'Confirm Delete').waitFor()
}
async function cancels(there: Visit): Promise<void> {
  await there.press('button', `Cancel Order #${ids.order}`)
  await there.one('dialog', 'Are you sure you want to cancel?').waitFor()
}

/** Everything that reaches beyond the window's width. */
const tooWide = (there: Visit) =>
  there.page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      e => e.getBoundingClientRect().right > clientWidth,
    )
    return [`${scrollWidth} > ${clientWidth}`, ...wide.map(element => element.outerHTML.slice(0, 120))]
  })

test.each(screens)('$name', async ({ path, visitor, steps, expects }) => {
  const there = await visit(shop, 'with scripts', {
    signedInAs: visitor ? undefined : person,
    expects: expects ? [expects] : [],
  })
  await there.go(path())
  await steps?.(there)
  // The colours are the same at every width, and nothing but they depends on the theme.
  for (const [width, colorScheme, rules] of [
    [1280, 'light', 'all'],
    [1280, 'dark', 'colours'],
    [320, 'dark', 'all'],
  ] as const) {
    await there.page.setViewportSize({ width, height: 800 })
    await there.page.emulateMedia({ colorScheme })
    const broken = await barriers(there.page, rules)
    expect({ width, colorScheme, broken }).toEqual({ width, colorScheme, broken: [] })
    expect(await tooWide(there)).toEqual([])
  }
})
