import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launch } from '../e2e/chromium.ts'
import type { Shop } from '../test/person.ts'
import { withShop } from './ground.ts'
import { payloads, textsOf } from './payloads.ts'
import { each, Faults, type Outcome, type Row } from './row.ts'

const nexts = [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '\\\\evil.example',
  '/%2f/evil.example',
  '/..//evil.example',
]

/** Puts the payloads into every text that people see of others, in `most` listings at most. @returns the addresses where they show */
async function spread(shop: Shop, most: number): Promise<string[]> {
  const [names, descriptions, reviews, people] = [50, 255, 1000, 30].map(textsOf)
  const sellers = await Promise.all([0, 1].map(() => shop.signUp('seller')))
  const critic = await shop.signUp('critic')
  const listings = Math.min(Math.max(names!.length, descriptions!.length, reviews!.length), most)
  const ids: number[] = []
  await each(Array(listings).keys(), 4, async n => {
    const { id } = await shop.list(sellers[n % 2]!, {
      name: names![n % names!.length]!,
      description: descriptions![n % descriptions!.length]!,
    })
    ids.push(id)
    await critic.post(`/api/reviews/${id}/create-review`, { review: reviews![n % reviews!.length], stars: 1 })
  })
  for (const [n, seller] of sellers.entries())
    await seller.put(`/api/shops/${seller.user.username}`, { words: descriptions![n], place: people![n] })
  const asked = textsOf(60).map(encodeURIComponent)
  return [
    '/',
    ...ids.map(id => `/products/${id}`),
    ...sellers.map(({ user }) => `/shops/${user.username}`),
    ...asked.slice(0, 8).flatMap(text => [`/?q=${text}`, `/nowhere/${text}`, `/login?next=${text}`]),
    ...Array.from({ length: Math.ceil(ids.length / 24) }, (_, n) => `/?page=${n + 1}`),
  ]
}

/** Looks at every page in a real browser, as one who is signed in or not. @returns what was run, and pages that broke */
export async function injection(
  shop: Shop & { address: string },
  browser: Browser,
  most = Number.POSITIVE_INFINITY,
): Promise<Outcome> {
  const faults = new Faults()
  const addresses = await spread(shop, most)
  let runs = 0
  const context = await browser.newContext({ baseURL: shop.address })
  await context.exposeBinding('ranByPayload', () => {
    runs++
  })
  await context.addInitScript(() => {
    window.alert = (globalThis as unknown as { ranByPayload: typeof alert }).ranByPayload
  })
  await each(addresses, 4, async address => {
    const page = await context.newPage()
    page.on('dialog', dialog => {
      runs++
      void dialog.dismiss()
    })
    await page.goto(address)
    faults.expect(await takenOver(page), `${address} was broken`)
    faults.expect(new URL(page.url()).origin === shop.address, `${address} led to ${page.url()}`)
    await page.close()
  })
  const led = await redirects(shop, context, faults)
  await context.close()
  faults.expect(runs === 0, `${runs} payloads were run`)
  return faults.outcome(
    `${payloads.length} payloads on ${addresses.length} pages: ${runs} run, every page whole; ${led} ways to lead elsewhere after the login: all stay`,
  )
}

/** Whether the data of the page could be read, and React has taken over. */
const takenOver = (page: Page) =>
  page
    .waitForFunction(
      () => {
        const root = document.querySelector('#root > *')
        return root && Object.keys(root).some(key => key.startsWith('__reactFiber'))
      },
      undefined,
      { timeout: 15_000 },
    )
    .then(() => true)
    .catch(() => false)

/** Logs in by forms that were told to lead to another site afterwards. */
async function redirects(
  shop: Shop & { address: string },
  context: BrowserContext,
  faults: Faults,
): Promise<number> {
  const ana = await shop.signUp('ana')
  for (const next of nexts) {
    await context.clearCookies()
    const page = await context.newPage()
    await page.goto(`/login?next=${encodeURIComponent(next)}`)
    await takenOver(page)
    await page.getByLabel('Email').fill(ana.user.email)
    await page.getByLabel('Password').fill(ana.password)
    await page.getByRole('button', { name: 'Log In', exact: true }).click()
    await page.waitForURL(url => !url.pathname.startsWith('/login'), { timeout: 15_000 }).catch(() => {})
    const { origin, pathname } = new URL(page.url())
    faults.expect(origin === shop.address && pathname !== '/login', `${next} led to ${page.url()}`)
    await page.close()
  }
  return nexts.length
}

export const row: Row = {
  risk: 'script injection, redirects',
  promise:
    '200 payloads in every text field, </script> in the hydration data; next=//evil: 0 executions in a real browser; same-origin only',
  async run() {
    const browser = await launch()
    try {
      return await withShop({}, shop => injection(shop, browser))
    } finally {
      await browser.close()
    }
  },
}
