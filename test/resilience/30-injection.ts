import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../support/browser/chromium.ts'
import { withShop } from '../support/harness.ts'
import type { Shop } from '../support/person.ts'
import { plant } from '../support/resilience/xss-fixtures.ts'
import { payloads } from '../support/resilience/xss-payloads.ts'
import { Faults, type Outcome, type Scenario } from '../support/scenario.ts'

const WINDOWS = 4

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

/** Opens every page in a browser, as a visitor and logged in. @returns executed payloads, and broken pages */
export async function injection(
  shop: Shop & { address: string },
  browser: Browser,
  max = Number.POSITIVE_INFINITY,
): Promise<Outcome> {
  const faults = new Faults()
  const { pages, fields } = await plant(shop, max)
  let runs = 0
  const contexts: BrowserContext[] = []
  const left = pages.values()
  // Reuses windows: opening one takes longer than a page.
  await Promise.all(
    Array.from({ length: WINDOWS }, async (_, window) => {
      const context = await browser.newContext({ baseURL: shop.address })
      contexts[window] = context
      await context.exposeBinding('ranByPayload', () => {
        runs++
      })
      await context.addInitScript(() => {
        const ran = (globalThis as unknown as { ranByPayload: typeof alert }).ranByPayload
        Object.assign(window, { alert: ran, a: ran })
      })
      const page = await context.newPage()
      page.on('dialog', dialog => {
        runs++
        void dialog.dismiss()
      })
      for (const { address, as } of left) {
        await context.clearCookies()
        const [name = '', value = ''] = as?.cookie.split('=') ?? []
        if (as) await context.addCookies([{ name, value, url: shop.address }])
        await page.goto(address)
        faults.expect(await hydrated(page), `${address} was broken`)
        const { origin, pathname } = new URL(page.url())
        faults.expect(origin === shop.address, `${address} led to ${page.url()}`)
        faults.expect(!as || pathname === new URL(address, origin).pathname, `${address} was not shown`)
      }
    }),
  )
  const ranBefore = runs
  const [context] = contexts
  const page = context?.pages()[0]
  // Checks that executed payloads are detected, by both functions that they call.
  await page?.evaluate('alert(1); a()')
  await page?.waitForFunction(() => true)
  faults.expect(runs === ranBefore + 2, 'the event handlers did not run')
  runs = ranBefore
  const led = context ? await redirects(shop, context, faults) : 0
  await Promise.all(contexts.map(context => context.close()))
  faults.expect(runs === 0, `${runs} payloads were run`)
  const signedIn = pages.filter(({ as }) => as).length
  return faults.outcome(
    `${payloads.length} payloads, in each field as many as fit (${fields.join(', ')}), on ${pages.length} pages, ${signedIn} of them logged in: ${runs} executed, every page intact; ${led} redirects to other sites after the login: none followed`,
  )
}

/** Whether the page is hydrated. */
const hydrated = (page: Page) =>
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

/** Logs in by forms whose `next` is another site. */
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
    await hydrated(page)
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

export const scenario: Scenario = {
  risk: 'script injection, redirects',
  slow: true,
  promise:
    '200 payloads in every text field, </script> in the hydration data; next=//evil: 0 executions in a real browser; same-origin only',
  async run() {
    const browser = await launchChromium()
    try {
      return await withShop({}, shop => injection(shop, browser))
    } finally {
      await browser.close()
    }
  },
}
