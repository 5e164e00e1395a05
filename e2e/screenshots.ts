/**
 * `npm run screenshots`: every page and dialog of the demo shop, phone and desktop, light and dark, into the folder
 * screenshots/, to be looked at. The four small ones of the README are made anew with `-- --readme`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { DEMO } from '../src/accounts/contract.ts'
import { launch } from './chromium.ts'
import { openDemo } from './demo.ts'

interface Shot {
  name: string
  path: string
  visitor?: true
  /** What is pressed before the picture is taken. */
  press?: ['button' | 'link' | 'summary', string | RegExp][]
}

const root = join(import.meta.dirname, '..')
const forReadme = process.argv.includes('--readme')

const shots = (product: number, own: number, order: number): Shot[] => [
  { name: 'landing', path: '/', visitor: true },
  { name: 'landing-signed-in', path: '/' },
  { name: 'menu', path: '/', press: [['summary', 'Profile']] },
  { name: 'search', path: '/search?q=mug', visitor: true },
  { name: 'search-nothing', path: '/search?q=mug&max=5', visitor: true },
  { name: 'category', path: '/categories/toys-entertainment', visitor: true },
  { name: 'maker', path: '/shops/demo', visitor: true },
  { name: 'favourites', path: '/favourites' },
  { name: 'settings', path: '/settings/shop' },
  { name: 'product', path: `/products/${product}`, visitor: true },
  { name: 'product-enlarged', path: `/products/${product}`, visitor: true, press: [['link', /^Enlarge/]] },
  {
    name: 'product-login-needed',
    path: `/products/${product}`,
    visitor: true,
    press: [['button', 'Add to cart']],
  },
  { name: 'product-added', path: `/products/${product}`, press: [['button', 'Add to cart']] },
  { name: 'reviews', path: `/products/${product}/reviews`, visitor: true },
  { name: 'create-review', path: `/products/${product}/create-review` },
  {
    name: 'create-review-refused',
    path: `/products/${product}/create-review`,
    press: [['button', 'Leave Review']],
  },
  { name: 'cart', path: '/cart' },
  { name: 'cart-visitor', path: '/cart', visitor: true },
  { name: 'checkout-dialog', path: '/cart', press: [['button', 'Proceed to checkout']] },
  { name: 'checkout-page', path: '/cart?checkout=yes' },
  { name: 'orders', path: '/orders/view' },
  { name: 'cancel-dialog', path: '/orders/view', press: [['button', /^Cancel Order/]] },
  { name: 'cancel-page', path: `/orders/${order}/delete-order` },
  { name: 'your-listings', path: '/your-listings' },
  { name: 'security', path: '/settings/security' },
  { name: 'delete-dialog', path: '/your-listings', press: [['button', /^Delete/]] },
  { name: 'new-listing', path: '/products/new' },
  { name: 'new-listing-refused', path: '/products/new', press: [['button', 'Add a listing']] },
  { name: 'edit-listing', path: `/products/${own}/edit` },
  { name: 'login', path: '/login', visitor: true },
  { name: 'signup', path: '/signup', visitor: true },
  { name: 'login-dialog', path: '/', visitor: true, press: [['link', 'Cart']] },
  {
    name: 'signup-dialog',
    path: '/',
    visitor: true,
    press: [
      ['summary', 'Profile'],
      ['link', 'Sign Up'],
    ],
  },
  { name: '404', path: '/nowhere', visitor: true },
]

const screens = [
  { kind: 'phone', width: 390, height: 844, scale: 2 },
  { kind: 'desktop', width: 1280, height: 800, scale: 1 },
] as const

async function take(context: BrowserContext, { path, press = [] }: Shot, file: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(path)
  await settle(page)
  for (const [role, name] of press) {
    const target =
      role === 'summary' ? page.locator(`summary[aria-label="${name}"]`) : page.getByRole(role, { name })
    await target.first().click()
    await settle(page)
  }
  const picture = await page.screenshot({ fullPage: press.length === 0 && !forReadme })
  // In the README they are small, and part of the repository.
  const small = sharp(picture)
    .resize({ width: file.includes('phone') ? 270 : 780 })
    .webp({ quality: 82 })
  await writeFile(file, forReadme ? await small.toBuffer() : picture)
  await page.close()
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  // Forms in dialogs come with scripts of their own.
  await page.getByText('Loading...', { exact: true }).waitFor({ state: 'hidden' })
}

const { address, close } = await openDemo(console.log)
const browser = await launch()
try {
  const { products } = (await (await fetch(`${address}/api/products/`)).json()) as {
    products: { id: number; seller: string; name: string; review_count: number; images: unknown[] }[]
  }
  const pictured = products.toSorted(
    (a, b) => b.images.length - a.images.length || b.review_count - a.review_count,
  )
  const product = pictured.find(listing => listing.seller !== 'demo')?.id ?? 0
  const own = products.find(listing => listing.seller === 'demo')?.id ?? 0
  for (const { kind, width, height, scale } of screens) {
    for (const scheme of ['light', 'dark'] as const) {
      const settings = {
        baseURL: address,
        viewport: { width, height },
        deviceScaleFactor: scale,
        colorScheme: scheme,
      }
      const visitor = await browser.newContext(settings)
      const member = await browser.newContext(settings)
      await member.request.post('/api/auth/login', { data: DEMO })
      const [{ id: order = 0 } = {}] = (await (await member.request.get('/api/orders/')).json()) as {
        id?: number
      }[]
      const all = shots(product, own, order)
      if (forReadme) {
        const wanted = {
          'phone light': 'product',
          'phone dark': 'cart',
          'desktop light': 'landing',
          'desktop dark': 'your-listings',
        }
        const shot = all.find(({ name }) => name === wanted[`${kind} ${scheme}`])
        if (shot) await take(shot.visitor ? visitor : member, shot, join(root, `docs/${kind}-${scheme}.webp`))
        continue
      }
      const place = join(root, 'screenshots', `${kind}-${scheme}`)
      await mkdir(place, { recursive: true })
      for (const shot of all)
        await take(shot.visitor ? visitor : member, shot, join(place, `${shot.name}.png`))
      console.log(`${all.length} pictures in screenshots/${kind}-${scheme}`)
      await Promise.all([visitor.close(), member.close()])
    }
  }
} finally {
  await browser.close()
  await close()
}
process.exit(0)
