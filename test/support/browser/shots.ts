import type { Page, Route } from 'playwright-core'

type Steps = (page: Page) => Promise<unknown>

export interface Shot {
  name: string
  path: string
  /** The viewer; default: a user with everything. */
  viewer?: 'visitor' | 'newcomer' | 'operator'
  /** What to do before the picture is taken. */
  steps?: Steps
}

/** Ids in the demo shop. */
export interface Found {
  product: number
  /** A listing that the demo user has reviewed. */
  reviewed: number
  /** A listing of the demo user's own, with a review. */
  own: number
  ownReview: number
  order: number
  /** The page of a 503. */
  busyPage: string
}

const BUSY = 'The shop is very busy. Please try again'

const press =
  (role: 'button' | 'link', name: string | RegExp): Steps =>
  page =>
    page.getByRole(role, { name }).first().click()
const inTurn =
  (...steps: Steps[]): Steps =>
  async page => {
    for (const step of steps) await step(page)
  }
const dialog: Steps = page => page.getByRole('dialog').waitFor()
/** Presses what opens a dialog. */
const opens = (role: 'button' | 'link', name: string | RegExp): Steps => inTurn(press(role, name), dialog)
const text =
  (words: string): Steps =>
  page =>
    page.getByText(words, { exact: true }).first().waitFor()
const menu: Steps = page => page.locator('summary[aria-label^="Profile"]').click()
const answering = (status: number, message: string) => (route: Route) =>
  route.fulfill({ status, json: { message, errors: [message] } })
/** Follows a link to the orders, while their call fails. */
const towardsOrders =
  (fail: (route: Route) => Promise<void>): Steps =>
  async page => {
    await page.route('**/api/orders/**', fail)
    await inTurn(menu, press('link', 'Your Orders'))(page)
    await page.locator('.notice h1').waitFor()
  }

/** Every page and dialog of the shop. */
export const shotsOf = ({ product, reviewed, own, ownReview, order, busyPage }: Found): Shot[] => [
  { name: 'landing', path: '/', viewer: 'visitor' },
  { name: 'landing-signed-in', path: '/' },
  { name: 'menu', path: '/', steps: menu },
  { name: 'search', path: '/search?q=mug', viewer: 'visitor' },
  {
    name: 'search-filters',
    path: '/search?q=mug&min=1',
    viewer: 'visitor',
    steps: async page => {
      const button = page.locator('summary', { hasText: 'Filter' })
      if (await button.isVisible()) await button.click()
    },
  },
  {
    name: 'suggestions',
    path: '/search',
    viewer: 'visitor',
    steps: async page => {
      await page.locator('.search input:visible').fill('mu')
      await page.getByRole('option').first().waitFor()
    },
  },
  { name: 'search-nothing', path: '/search?q=mug&max=5', viewer: 'visitor' },
  { name: 'category', path: '/categories/toys-entertainment', viewer: 'visitor' },
  { name: 'makers', path: '/makers', viewer: 'visitor' },
  { name: 'maker', path: '/shops/demo', viewer: 'visitor' },
  { name: 'favourites', path: '/favourites' },
  { name: 'favourites-none', path: '/favourites', viewer: 'newcomer' },
  { name: 'settings', path: '/settings/shop' },
  { name: 'policies', path: '/settings/policies' },
  { name: 'product', path: `/products/${product}`, viewer: 'visitor' },
  {
    name: 'product-enlarged',
    path: `/products/${product}`,
    viewer: 'visitor',
    steps: opens('link', /^Enlarge/),
  },
  {
    name: 'product-magnified',
    path: `/products/${product}`,
    viewer: 'visitor',
    steps: inTurn(opens('link', /^Enlarge/), press('button', 'Magnify')),
  },
  {
    name: 'product-login-needed',
    path: `/products/${product}`,
    viewer: 'visitor',
    steps: inTurn(press('button', 'Add to cart'), text('Please login to add items to cart.')),
  },
  {
    name: 'product-added',
    path: `/products/${product}`,
    steps: inTurn(press('button', 'Add to cart'), text('Item added to cart!')),
  },
  { name: 'reviews', path: `/products/${product}/reviews`, viewer: 'visitor' },
  { name: 'edit-review', path: `/products/${reviewed}/edit-review` },
  { name: 'edit-review-dialog', path: `/products/${reviewed}`, steps: opens('button', 'Edit Review') },
  { name: 'delete-review', path: `/products/${reviewed}/delete-review` },
  { name: 'delete-review-dialog', path: `/products/${reviewed}`, steps: opens('button', 'Delete Review') },
  { name: 'reply', path: `/products/${own}/reply?review=${ownReview}` },
  { name: 'reply-dialog', path: `/products/${own}`, steps: opens('button', /^(Edit reply|Reply) to/) },
  { name: 'create-review', path: `/products/${product}/create-review` },
  {
    name: 'create-review-refused',
    path: `/products/${product}/create-review`,
    steps: press('button', 'Leave Review'),
  },
  { name: 'messages', path: '/messages' },
  { name: 'messages-none', path: '/messages', viewer: 'newcomer' },
  {
    name: 'conversation',
    path: '/messages',
    steps: inTurn(press('link', 'ottilie_brambling'), page => page.getByLabel(/^Write to/).waitFor()),
  },
  { name: 'ask-maker', path: '/messages/to/wren_thistledown' },
  { name: 'cart', path: '/cart' },
  { name: 'cart-empty', path: '/cart', viewer: 'newcomer' },
  { name: 'cart-visitor', path: '/cart', viewer: 'visitor' },
  { name: 'checkout-dialog', path: '/cart', steps: opens('button', 'Proceed to checkout') },
  { name: 'checkout-page', path: '/cart?checkout=yes' },
  { name: 'orders', path: '/orders/view' },
  { name: 'all-orders', path: '/orders' },
  { name: 'order', path: `/orders/${order}` },
  { name: 'sold', path: '/sold' },
  { name: 'sale', path: '/sold', steps: inTurn(press('link', /^Order #/), text('Packing slip')) },
  { name: 'drafts', path: '/drafts' },
  { name: 'payment', path: '/settings/payment' },
  { name: 'about', path: '/about', viewer: 'visitor' },
  ...['delivery-and-returns', 'contact', 'privacy', 'terms', 'imprint'].map(
    (slug): Shot => ({ name: slug, path: `/${slug}`, viewer: 'visitor' }),
  ),
  { name: 'orders-none', path: '/orders/view', viewer: 'newcomer' },
  { name: 'cancel-dialog', path: '/orders/view', steps: opens('button', /^Cancel Order/) },
  { name: 'cancel-page', path: `/orders/${order}/delete-order` },
  { name: 'your-listings', path: '/your-listings' },
  { name: 'your-listings-retired', path: '/your-listings?state=retired' },
  { name: 'change-listings', path: '/your-listings/change?all=yes&change=price_percent&amount=10' },
  { name: 'your-listings-none', path: '/your-listings', viewer: 'newcomer' },
  { name: 'security', path: '/settings/security' },
  { name: 'sections', path: '/settings/sections' },
  { name: 'postage', path: '/settings/postage' },
  { name: 'postage-profile', path: '/settings/postage?profile=new' },
  { name: 'holiday', path: '/settings/holiday' },
  { name: 'letters', path: '/settings/letters' },
  { name: 'import', path: '/import' },
  { name: 'photos-of-drafts', path: '/import/photos' },
  { name: 'addresses', path: '/settings/addresses' },
  { name: 'notices', path: '/settings/notices' },
  { name: 'seller-details', path: '/settings/seller' },
  { name: 'sell', path: '/sell', viewer: 'newcomer' },
  { name: 'report', path: `/report?listing=${product}`, viewer: 'visitor' },
  { name: 'notifications', path: '/notifications' },
  { name: 'notifications-none', path: '/notifications', viewer: 'newcomer' },
  { name: 'account', path: '/settings/account' },
  { name: 'deletion-running', path: '/settings/account/delete' },
  { name: 'deletion', path: '/settings/account/delete', viewer: 'newcomer' },
  { name: 'delete-dialog', path: '/your-listings', steps: opens('button', /^Delete/) },
  { name: 'new-listing', path: '/products/new' },
  { name: 'new-listing-refused', path: '/products/new', steps: press('button', 'Add a listing') },
  { name: 'edit-listing', path: `/products/${own}/edit` },
  {
    name: 'upload-failed',
    path: `/products/${own}/edit`,
    steps: async page => {
      await page.route('**/images', answering(503, BUSY))
      await page.getByLabel('Photos and video').setInputFiles('assets/icon-512.png')
      await page.getByRole('button', { name: 'Update listing' }).click()
      await page.getByRole('button', { name: 'Try the upload again' }).waitFor()
    },
  },
  { name: 'login', path: '/login', viewer: 'visitor' },
  { name: 'forgotten-password', path: '/forgot-password', viewer: 'visitor' },
  { name: 'confirm-unusable', path: '/confirm-email?token=x', viewer: 'visitor' },
  { name: 'setup-unusable', path: '/setup/x', viewer: 'newcomer' },
  { name: 'reset-unusable', path: '/reset-password?token=x', viewer: 'visitor' },
  { name: 'signup', path: '/signup', viewer: 'visitor' },
  { name: 'login-dialog', path: '/', viewer: 'visitor', steps: opens('link', 'Cart, empty') },
  {
    name: 'signup-dialog',
    path: '/',
    viewer: 'visitor',
    steps: inTurn(menu, opens('link', 'Sign Up')),
  },
  { name: 'operate', path: '/operate', viewer: 'operator' },
  ...[
    'reports',
    'people',
    'makers',
    'listings',
    'reviews',
    'orders',
    'settings',
    'operators',
    'log',
    'setup',
  ].map((part): Shot => ({ name: `operate-${part}`, path: `/operate/${part}`, viewer: 'operator' })),
  { name: 'operate-brand', path: '/operate/brand', viewer: 'operator' },
  { name: 'operate-pages', path: '/operate/pages', viewer: 'operator' },
  { name: 'operate-page', path: '/operate/pages/about', viewer: 'operator' },
  {
    name: 'operate-confirm',
    path: '/operate',
    viewer: 'operator',
    steps: async page => {
      await press('button', 'Leave these pages')(page)
      await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
      await page.goto('/operate')
    },
  },
  { name: '404', path: '/nowhere', viewer: 'visitor' },
  {
    name: '405',
    path: '/search',
    viewer: 'visitor',
    steps: async page => {
      await page.evaluate(() => {
        const form = document.createElement('form')
        Object.assign(form, { method: 'post', action: '/search' })
        document.body.append(form)
        form.submit()
      })
      await page.getByRole('heading', { name: /^405/ }).waitFor()
    },
  },
  { name: '500', path: '/', steps: towardsOrders(answering(500, 'Something went wrong. Please try again')) },
  { name: '503', path: '/', steps: towardsOrders(answering(503, BUSY)) },
  { name: 'connection-lost', path: '/', steps: towardsOrders(route => route.abort()) },
  {
    name: '503-alone',
    path: '/',
    steps: async page => {
      const html = { status: 503, contentType: 'text/html', body: busyPage }
      await page.route('/cart', route => route.fulfill(html))
      await page.goto('/cart')
    },
  },
]
