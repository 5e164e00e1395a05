import { type Browser, type BrowserContext, devices } from 'playwright-core'
import { DEMO } from '../../../src/features/accounts/contract.ts'

/** CPU slowdown of the phone, as in Lighthouse's mobile preset. */
const SLOWER = 4

interface Interaction {
  /** Action and element. */
  name: string
  /** Until the next frame, ms, in steps of 8. */
  duration: number
}

/**
 * Buys a listing as on a slow phone, from the landing page to the order.
 * @returns each press with its interaction to next paint (Event Timing): the longest of its events
 */
export async function interactionsOfPurchase(
  browser: Browser,
  address: string,
  product: number,
): Promise<Interaction[]> {
  const context = await browser.newContext({ ...devices['Pixel 7'] })
  try {
    return await purchase(context, address, product)
  } finally {
    await context.close()
  }
}

async function purchase(context: BrowserContext, address: string, product: number): Promise<Interaction[]> {
  const longest = new Map<string, number>()
  const page = await context.newPage()
  await page.exposeFunction('interacted', (name: string, duration: number) => {
    longest.set(name, Math.max(duration, longest.get(name) ?? 0))
  })
  await page.addInitScript(() => {
    new PerformanceObserver(list => {
      for (const { interactionId, target, duration } of list.getEntries() as (PerformanceEntry & {
        interactionId: number
        target: Element | null
      })[]) {
        if (!interactionId) continue
        const name = target?.closest('a, button, select')?.textContent?.trim().slice(0, 30) ?? 'page'
        void (window as never as { interacted(name: string, duration: number): void }).interacted(
          `${location.pathname}: ${name}`,
          duration,
        )
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })
  await context.request.post(`${address}/api/auth/login`, { data: DEMO })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.goto(address)
  // Users do not press anything within the first half second.
  await page.waitForLoadState('networkidle')
  await page.locator(`a[href^="/products/${product}"]`).first().tap()
  const added = page.waitForResponse(response => response.url().includes('/api/cart_items/add/'))
  await page.getByRole('button', { name: 'Add to cart' }).tap()
  await added
  await page.getByRole('link', { name: /^Cart, / }).tap()
  await page.getByRole('button', { name: 'Proceed to checkout' }).tap()
  await page.getByRole('button', { name: 'Yes (place order)' }).tap()
  await page.waitForURL('**/orders/view')
  await page.locator('main h1').waitFor()
  return [...longest].map(([name, duration]) => ({ name, duration }))
}
