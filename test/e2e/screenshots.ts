/**
 * `npm run screenshots`: every page and dialog of the demo shop, phone and desktop, light and dark, into
 * screenshots/. `-- --readme` also renews the four small ones of the README.
 */

import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { defaultBrand } from '#brand'
import { DEMO } from '../../src/features/accounts/contract.ts'
import { staticErrorPage } from '../../src/features/site/static-error-page.ts'
import { launchChromium } from '../support/browser/chromium.ts'
import { openDemo } from '../support/browser/demo.ts'
import { type Shot, shotsOf } from '../support/browser/shots.ts'

const root = join(import.meta.dirname, '../..')
const forReadme = process.argv.includes('--readme')

const screens = [
  { kind: 'phone', width: 390, height: 844, scale: 2 },
  { kind: 'desktop', width: 1280, height: 800, scale: 1 },
] as const

async function screenshot(context: BrowserContext, { path, steps }: Shot, file: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(path)
  await settle(page)
  if (steps) {
    await steps(page)
    await settle(page)
  }
  const picture = await page.screenshot({ fullPage: !steps && !forReadme })
  // Small ones for the README, in the repository.
  const small = sharp(picture)
    .resize({ width: file.includes('phone') ? 270 : 780 })
    .webp({ quality: 82 })
  await writeFile(file, forReadme ? await small.toBuffer() : picture)
  await page.close()
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('main[aria-busy=true]').waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready)
  // Scripts of dialogs load on demand.
  await page.getByText('Loading...', { exact: true }).waitFor({ state: 'hidden' })
  // The picture shows the whole page, not only the window: pictures further down are fetched and painted too.
  await page.evaluate(() => {
    for (const photo of document.querySelectorAll<HTMLElement>('.photo.later'))
      photo.style.contentVisibility = 'visible'
    return Promise.all(
      [...document.images].map(image => {
        image.loading = 'eager'
        return image.decode().catch(() => {})
      }),
    )
  })
}

interface Listed {
  id: number
  seller: string
  review_count: number
  images: unknown[]
}

const newUser = (first_name: string, where: string) => ({
  first_name,
  last_name: 'Carver',
  username: `${first_name} on ${where}`,
  email: `${first_name}.${where.replace(' ', '.')}@example.com`,
  password: 'freshly-carved-spoon',
})

/** Signs up, becomes an operator by the command, and confirms who it is. */
async function becomeOperator({ request }: BrowserContext, where: string): Promise<void> {
  const person = newUser('Olga', where)
  await request.post('/api/auth/signup', { data: person })
  const command = [join(root, 'scripts/shop.ts'), 'operator', 'add', person.email]
  await promisify(execFile)(process.execPath, command, { env: { ...process.env, DATA_DIR: folder } })
  await request.post('/api/operate/session', { data: { current_password: person.password } })
}

const { address, folder, close } = await openDemo(console.log)
const fetchJson = async <T>(path: string): Promise<T> => (await (await fetch(address + path)).json()) as T
const browser = await launchChromium()
try {
  const listed = await fetchJson<{ products: Listed[] }>('/api/products/')
  const pictured = listed.products.toSorted(
    (a, b) => b.images.length - a.images.length || b.review_count - a.review_count,
  )
  const [product = 0, reviewed = 0] = pictured.filter(({ seller }) => seller !== 'demo').map(({ id }) => id)
  const own = pictured.find(({ seller, review_count }) => seller === 'demo' && review_count > 0)?.id ?? 0
  const [{ id: ownReview = 0 } = {}] = await fetchJson<{ id?: number }[]>(`/api/reviews/${own}/reviews`)
  const [styles = ''] = /\/assets\/[\w.-]+\.css/.exec(await (await fetch(address)).text()) ?? []
  const busyPage = staticErrorPage({ styles: [styles] }, defaultBrand, 503, '')
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
      const newcomer = await browser.newContext(settings)
      await newcomer.request.post('/api/auth/signup', { data: newUser('Nina', `${kind} ${scheme}`) })
      const operator = await browser.newContext(settings)
      await becomeOperator(operator, `${kind} ${scheme}`)
      const report = { grounds: 'copy', words: 'This is my photo: I took it in my garden.' }
      await visitor.request.post(`/api/products/${product}/reports`, { data: report })
      const [{ id: order = 0 } = {}] = (await (await member.request.get('/api/orders/')).json()) as {
        id?: number
      }[]
      const review = { review: 'Warm in the hand, and it pours without a drop.', stars: 5 }
      await member.request.post(`/api/reviews/${reviewed}/create-review`, { data: review })
      const all = shotsOf({ product, reviewed, own, ownReview, order, busyPage })
      const contextOf = ({ viewer }: Shot) => ({ visitor, newcomer, operator, member })[viewer ?? 'member']
      if (forReadme) {
        const shotNames = {
          'phone light': 'product',
          'phone dark': 'cart',
          'desktop light': 'landing',
          'desktop dark': 'your-listings',
        }
        const shot = all.find(({ name }) => name === shotNames[`${kind} ${scheme}`])
        if (shot) await screenshot(contextOf(shot), shot, join(root, `docs/${kind}-${scheme}.webp`))
        continue
      }
      const place = join(root, 'screenshots', `${kind}-${scheme}`)
      await mkdir(place, { recursive: true })
      for (const shot of all) await screenshot(contextOf(shot), shot, join(place, `${shot.name}.png`))
      console.log(`${all.length} pictures in screenshots/${kind}-${scheme}`)
      await Promise.all([visitor, newcomer, operator, member].map(context => context.close()))
    }
  }
} finally {
  await browser.close()
  await close()
}
process.exit(0)
