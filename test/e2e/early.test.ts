import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settled } from '../support/browser/browser.ts'
import { eventually, gate, picture, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

/*
 * Pages are used before hydration, and without any. Each case does what users do, and then says what must hold, with
 * late scripts and without.
 */

let shop: TestShop
let maker: Person
/** Ids of two listings of the seller, and of a review of the second. */
let mug: number
let vase: number
let review: number
beforeAll(async () => {
  shop = await openShop()
  maker = await shop.signUp('maker')
  mug = (await shop.list(maker, { name: 'Speckled mug', price: 10, stock: 90 })).id
  vase = (await shop.list(maker, { name: 'Sage vase', price: 5, stock: 90 })).id
  for (let n = 1; n <= 12; n++) await shop.list(maker, { name: `Bowl ${n}`, price: n })
  await maker.upload(`/api/products/${mug}/images`, (await picture()).buffer)
  await maker.put(`/api/shops/${maker.user.username}`, { words: 'I throw mugs.', place: 'By the river' })
  const draft = { review: 'Holds tulips.', stars: 4 }
  review = (await (await shop.signUp('critic')).post(`/api/reviews/${vase}/create-review`, draft)).body.id
  await maker.put(`/api/reviews/${review}/reply`, { reply: 'Thank you.' })
})
afterAll(() => shop.close())

interface Case {
  path: string | ((person: Person) => string | Promise<string>)
  /** The user; default: a visitor. */
  viewer?: () => Person | Promise<Person>
  does: (there: Visit, person: Person | undefined) => Promise<void>
  expects?: (there: Visit, person: Person | undefined, scripts: boolean) => Promise<void>
}

const shopper = () => shop.signUp('shopper')
const owner = () => maker
/** A user with a mug in the cart. */
async function withMug(): Promise<Person> {
  const person = await shopper()
  await person.post(`/api/cart_items/add/${mug}`, { quantity: 1 })
  return person
}
const inCart = async (person: Person): Promise<number[]> =>
  (await person.get(`/api/cart_items/${person.user.id}`)).body.cart_items.map(
    ({ quantity }: { quantity: number }) => quantity,
  )

const CONTROLS = 'main :is(input:not([type=hidden], [type=file], #search-page), textarea, select)'
/** Field values of a page. */
const values = ({ page }: Visit) =>
  page.locator(CONTROLS).evaluateAll(all => all.map(each => (each as HTMLInputElement).value))
/** Field values that each page was left with. */
const filled = new WeakMap<Visit, string[]>()

/** Fills every field and chooses in every list, also if it has a value. */
async function fillAll(there: Visit): Promise<void> {
  const details = there.page.locator('main details')
  if (await details.count()) await details.locator('summary').click()
  for (const control of await there.page.locator(CONTROLS).all()) {
    const kind = await control.evaluate(element => element.getAttribute('type') ?? element.tagName)
    if (kind === 'SELECT') {
      const at = await control.evaluate(element => (element as HTMLSelectElement).selectedIndex)
      await control.selectOption({ index: at === 1 ? 2 : 1 })
    } else if (kind === 'number') await control.fill('7')
    else if (kind === 'checkbox') await control.check()
    else await control.fill(`${await control.inputValue()} early`)
  }
  filled.set(there, await values(there))
  expect(filled.get(there)?.length).toBeGreaterThan(0)
}
const expectUnchanged = async (there: Visit) => expect(await values(there)).toEqual(filled.get(there))
const fields = (path: Case['path'], viewer?: Case['viewer']): Case => ({
  path,
  ...(viewer ? { viewer } : {}),
  does: fillAll,
  expects: expectUnchanged,
})

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'))

/** Watches a text of the page: `stayed` reports its duration. */
const watch = (page: Page, text: string) =>
  page.evaluate(text => {
    let since: number | undefined
    const poll = () => {
      const root = document.querySelector('#root > *')
      const isHydrated = root && Object.keys(root).some(key => key.startsWith('__reactFiber'))
      if (isHydrated) since ??= performance.now()
      if (document.querySelector('main')?.textContent.includes(text)) globalThis.setTimeout(poll, 10)
      else Object.assign(window, { stayed: since === undefined ? 0 : performance.now() - since })
    }
    poll()
  }, text)
/** How long the text stayed after hydration, ms: infinite while it is there. */
const stayed = (page: Page): Promise<number> =>
  page.evaluate(() => (window as { stayed?: number }).stayed ?? Number.POSITIVE_INFINITY)

const cases: Record<string, Case> = {
  'the fields of the landing page': fields('/'),
  'the fields of a search': fields('/search?q=bowl'),
  'the fields of a category': fields('/categories/home-living?q=bowl&min=1'),
  'the fields of a maker’s page': fields(() => `/shops/${maker.user.username}`),
  'the fields of a login': fields('/login'),
  'the fields of a signup': fields('/signup'),
  'the fields of a piece': fields(() => `/products/${mug}`),
  'the fields of a new listing': fields('/products/new', shopper),
  'the fields of a listing': fields(() => `/products/${vase}/edit`, owner),
  'the fields of a new review': fields(() => `/products/${mug}/create-review`, shopper),
  'the fields of a review': fields(
    () => `/products/${mug}/edit-review`,
    async () => {
      const person = await shopper()
      await person.post(`/api/reviews/${mug}/create-review`, { review: 'Holds tea.', stars: 3 })
      return person
    },
  ),
  'the fields of a reply': fields(() => `/products/${vase}/reply?review=${review}`, owner),
  'the fields of a shop page': fields('/settings/shop', owner),
  'the fields of the security page': fields('/settings/security', shopper),

  'words in the middle of a text': {
    path: () => `/products/${vase}/edit`,
    viewer: owner,
    async does({ page }) {
      const text = page.getByLabel('Description')
      await text.focus()
      await text.evaluate(element => (element as HTMLTextAreaElement).setSelectionRange(0, 0))
      await page.keyboard.type('Fired twice. ')
    },
    async expects({ page }) {
      await page.keyboard.type('Glazed. ')
      expect(await page.getByLabel('Description').inputValue()).toMatch(/^Fired twice\. Glazed\. \w/)
    },
  },

  'a login that is corrected': {
    path: '/login?next=%2Ffavourites',
    async does(there) {
      await there.fill('Email', 'nobody@example.com')
      await there.fill('Password', 'wrong-one')
      await there.press('button', 'Log In')
      await there.page.locator('main .error').first().waitFor()
      await there.field('Password').focus()
      await there.page.keyboard.type('sec')
    },
    async expects(there) {
      await there.page.keyboard.type('ret-1')
      expect(await focused(there.page)).toBe('password')
      expect(await there.valueOf('Password')).toBe('secret-1')
      await there.fill('Email', maker.user.email)
      await there.page.locator('main').getByRole('button', { name: 'Log In' }).click()
      await there.page.waitForURL('**/favourites')
    },
  },
  'a signup that is corrected': {
    path: '/signup?next=%2Ffavourites',
    async does(there) {
      const name = { Email: 'not one', 'First Name': 'Vera', 'Last Name': 'Potter', Username: 'x' }
      const words = { ...name, Password: 'secret-1', 'Confirm Password': 'secret-2' }
      for (const [label, text] of Object.entries(words)) await there.fill(label, text)
      await there.press('button', 'Sign Up')
      await there.page.locator('main .error').first().waitFor()
      expect(await there.valueOf('First Name')).toBe('Vera')
      await there.field('Username').focus()
      await there.page.keyboard.press('End')
      await there.page.keyboard.type('yz')
    },
    async expects(there) {
      await there.page.keyboard.type('abc')
      expect(await there.valueOf('Username')).toBe('xyzabc')
      expect(there.path).toBe('/signup?next=%2Ffavourites')
    },
  },
  'a new listing with a mistake': {
    path: '/products/new',
    viewer: shopper,
    async does(there) {
      await there.fill('Name', 'Sage bowl')
      await there.pick('Photos and video', await picture())
      await there.press('button', 'Add a listing')
      await there.describes('Photos and video', 'Please choose your photo again')
      await there.fill('Description', 'Holds soup.')
    },
    async expects(there, _, scripts) {
      await there.describes('Photos and video', 'Please choose your photo again')
      expect(await there.valueOf('Name')).toBe('Sage bowl')
      expect(await there.valueOf('Description')).toBe('Holds soup.')
      expect(await there.page.getByText('What shoppers will see').isVisible()).toBe(scripts)
    },
  },

  'adding to the cart, then a reload': {
    path: () => `/products/${mug}`,
    viewer: shopper,
    async does(there) {
      await there.choose('Quantity', '2')
      await there.press('button', 'Add to cart')
      await there.sees('Item added to cart!')
      await watch(there.page, 'Item added to cart!')
    },
    async expects(there, person, scripts) {
      // It disappears some seconds after hydration, not because of it.
      expect(await stayed(there.page)).toBeGreaterThan(1_000)
      await there.page.reload({ waitUntil: 'commit' })
      await there.heading('Speckled mug')
      expect(await inCart(person!)).toEqual([2])
      if (!scripts) return
      expect(there.path).toBe(`/products/${mug}`)
      expect(await there.text('Item added to cart!').count()).toBe(0)
    },
  },
  'a visitor who adds to the cart, fails to log in, and then does': {
    path: () => `/products/${mug}`,
    async does(there) {
      await there.choose('Quantity', '3')
      await there.press('button', 'Add to cart')
      await there.sees('Please login to add items to cart.')
      await there.page.locator('main').getByRole('link', { name: 'Log In' }).click()
      const person = await shopper()
      await there.fill('Email', person.user.email)
      await there.fill('Password', 'wrong-one')
      await there.press('button', 'Log In')
      await there.page.locator('main .error').first().waitFor()
      await there.fill('Password', person.password)
      await there.press('button', 'Log In')
      await there.sees('Item added to cart!')
      expect(await inCart(person)).toEqual([3])
    },
  },
  'a quantity in the cart, then the checkout': {
    path: '/cart',
    viewer: withMug,
    async does(there) {
      await there.choose('Quantity of Speckled mug', '3')
      await there.press('button', 'Proceed to checkout')
      await there.heading('Review Your Order')
    },
    async expects(there, person) {
      await there.sees('3 × Speckled mug')
      await there.sees('Total Price: $30.00')
      expect(await inCart(person!)).toEqual([3])
    },
  },
  'a quantity in the cart, by its button': {
    path: '/cart',
    viewer: withMug,
    async does(there) {
      await there.choose('Quantity of Speckled mug', '2')
      await there.press('button', 'Update')
      await there.sees('Total Price: $20.00')
    },
    async expects(there, person, scripts) {
      expect(await there.valueOf('Quantity of Speckled mug')).toBe('2')
      expect(await inCart(person!)).toEqual([2])
      // The button stays while it is needed.
      await eventually(() => there.text('Update').isVisible()).toBe(!scripts)
    },
  },
  'a line that is removed from the cart': {
    path: '/cart',
    viewer: withMug,
    async does(there) {
      await there.press('button', 'Remove Speckled mug')
      await there.sees('Item was removed from your cart')
    },
    async expects(there, person) {
      await there.sees('Your cart is empty')
      expect(await inCart(person!)).toEqual([])
    },
  },
  'an order that is placed and cancelled': {
    path: '/cart?checkout=yes',
    viewer: withMug,
    async does(there) {
      await there.press('button', 'Yes (place order)')
      await there.heading('Your Orders')
      await there.page.getByRole('button', { name: /^Cancel Order/ }).click()
      await there.heading('Are you sure you want to cancel?')
      await there.press('button', 'Yes')
    },
    expects: there => there.sees('No orders'),
  },

  'a search that begins at once': {
    path: '/',
    async does({ page }) {
      await page.locator('#search-header').focus()
      await page.keyboard.type('speck')
    },
    async expects({ page }, _, scripts) {
      expect(await focused(page)).toBe('q')
      if (scripts) await page.getByRole('option', { name: 'Speckled mug' }).waitFor()
      else {
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: /speck/ }).waitFor()
      }
    },
  },
  'the menu behind the person': {
    path: '/',
    viewer: shopper,
    async does(there) {
      await there.openMenu()
      await there.tabTo(there.one('link', 'Your Listings'))
    },
    async expects(there) {
      const listings = there.one('link', 'Your Listings')
      expect(await listings.isVisible()).toBe(true)
      expect(await listings.evaluate(link => link === document.activeElement)).toBe(true)
    },
  },
  'a photo that is enlarged, and left again': {
    path: () => `/products/${mug}`,
    async does(there) {
      await there.press('link', 'Enlarge the photo of Speckled mug')
      await there.page.waitForURL('**large=yes', { waitUntil: 'commit' })
      await there.one('img', 'Speckled mug').waitFor()
    },
    async expects(there) {
      await there.press('link', 'Back to the piece')
      await there.one('button', 'Add to cart').waitFor()
      expect(there.path).toBe(`/products/${mug}?photo=1`)
    },
  },
  'a heart far down a page': {
    path: '/',
    viewer: shopper,
    async does(there) {
      const heart = there.one('button', 'Save Bowl 1')
      await heart.scrollIntoViewIfNeeded()
      await heart.click()
      await there.page.locator('button[aria-label="Save Bowl 1"][aria-pressed=true]').waitFor()
    },
    async expects(there) {
      await eventually(() => there.page.evaluate(() => scrollY)).toBeGreaterThan(300)
      const box = await there.one('button', 'Save Bowl 1').boundingBox()
      expect(box!.y).toBeGreaterThan(0)
      expect(box!.y).toBeLessThan(800)
    },
  },
  'a listing that is deleted': {
    path: '/your-listings',
    async viewer() {
      const person = await shop.signUp('seller')
      await shop.list(person, { name: 'Old pot' })
      return person
    },
    async does(there) {
      await there.press('button', 'Delete Old pot')
      await there.heading('Confirm Delete')
      await there.press('button', 'Yes (Delete Product)')
    },
    expects: there => there.sees('No listings found.'),
  },
  'a review that is left and deleted': {
    path: () => `/products/${vase}/create-review`,
    viewer: shopper,
    async does(there) {
      await there.choose('Stars', '5')
      await there.fill('What did you think of this product?', 'Holds roses.')
      await there.press('button', 'Leave Review')
      await there.sees('Holds roses.')
      await there.press('button', 'Delete Review')
      await there.heading('Are you sure you want to delete?')
      await there.press('button', 'Yes')
    },
    expects: there => there.sees('You have not left a review yet'),
  },
  'a device that is logged out': {
    path: '/settings/security',
    async viewer() {
      const person = await shopper()
      await shop.visitor().post('/api/auth/login', { email: person.user.email, password: person.password })
      return person
    },
    async does({ page }) {
      await page.getByRole('button', { name: /^Log out .* in since/ }).click()
    },
    expects: there => there.sees('That device is logged out'),
  },
}

const OPTIONS = { expects: [/ERR_FAILED/, /status of 4\d\d/] }

/** Runs a case on a page of its own, whose scripts wait for `scripts`, or never load. */
async function run({ path, viewer, does, expects }: Case, scripts: 'late' | 'never'): Promise<void> {
  const person = await viewer?.()
  const there = await visit(shop, 'with scripts', { ...OPTIONS, signedInAs: person })
  const { page } = there
  page.setDefaultTimeout(40_000)
  const { open, opened } = gate()
  await page.route('**/assets/*.js', async route => {
    if (scripts === 'never') return route.abort('failed')
    await opened
    // The page may be closed.
    await route.continue().catch(() => {})
  })
  const address = typeof path === 'string' ? path : await path(person ?? maker)
  await page.goto(address, { waitUntil: 'commit' })
  await does(there, person)
  open()
  if (scripts === 'late') await untilHydrated(page)
  await expects?.(there, person, scripts === 'late')
}

/** Waits for complete hydration. */
async function untilHydrated(page: Page): Promise<void> {
  await settled(page)
  await page.waitForFunction(() =>
    [...document.querySelectorAll('#root :is(input, textarea, select, button, a, summary)')].every(element =>
      Object.keys(element).some(key => key.startsWith('__reactProps')),
    ),
  )
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => globalThis.setTimeout(done, 50))))
}

/** Runs all concurrently, since most of it is waiting. @returns failures by case */
async function runAll(scripts: 'late' | 'never'): Promise<Record<string, string>> {
  const names = Object.keys(cases)
  const ended = await Promise.allSettled(names.map(name => run(cases[name]!, scripts)))
  return Object.fromEntries(
    ended.flatMap((end, at) => (end.status === 'rejected' ? [[names[at], String(end.reason.stack)]] : [])),
  )
}

/** Timeout on a machine with other load, ms. */
const LONG = 180_000

test(
  'what people do while every script is late is neither lost nor undone',
  async () => expect(await runAll('late')).toEqual({}),
  LONG,
)

test(
  'where no script ever comes, everything can be done',
  async () => expect(await runAll('never')).toEqual({}),
  LONG,
)
