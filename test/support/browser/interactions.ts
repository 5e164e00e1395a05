import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContext, type CDPSession, devices, type Locator } from 'playwright-core'
import { DEMO } from '../../../src/features/accounts/contract.ts'

/** CPU slowdown of the phone, as in Lighthouse's mobile preset. */
const SLOWER = 4

/** How long a finger touches the screen, ms. */
const TOUCH_MS = 80

interface Interaction {
  /** Action and element. */
  name: string
  /** Until the next frame, ms, in steps of 8. */
  duration: number
}

/**
 * Buys a listing as on a slow phone, from the landing page to the order, three times.
 * @returns each press with its interaction to next paint (Event Timing): the longest of its events, of the middle purchase
 */
export async function interactionsOfPurchase(
  browser: Browser,
  address: string,
  product: number,
): Promise<Interaction[]> {
  const all: Interaction[] = []
  for (let n = 0; n < 3; n++) {
    const context = await browser.newContext({ ...devices['Pixel 7'] })
    try {
      all.push(...(await purchase(context, address, product)))
    } finally {
      await context.close()
    }
  }
  return [...Map.groupBy(all, ({ name }) => name)].map(([name, same]) => {
    const durations = same.map(({ duration }) => duration).sort((a, b) => a - b)
    return { name, duration: durations[Math.floor(durations.length / 2)] ?? 0 }
  })
}

/**
 * Touches the middle of an element as a finger does. Not Playwright's `tap`: its checks run in the page during the press, and
 * would count as the page's time.
 */
async function touch(devtools: CDPSession, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error(`${target} is not visible`)
  const finger = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] })
  await sleep(TOUCH_MS)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
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
        const pressed = target?.closest('a, button, select')
        const text = pressed?.getAttribute('aria-label') ?? pressed?.textContent ?? 'page'
        // Without a price or a number of pieces.
        const name = text.replace(/,? ?\$?\d.*/, '').trim()
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
  const press = (target: Locator) => touch(devtools, target)
  await press(page.locator(`a[href^="/products/${product}"]`).first())
  const added = page.waitForResponse(response => response.url().includes('/api/cart_items/add/'))
  await press(page.getByRole('button', { name: 'Add to cart' }))
  await added
  await press(page.getByRole('link', { name: /^Cart, / }))
  await press(page.getByRole('button', { name: 'Proceed to checkout' }))
  await press(page.getByRole('button', { name: 'Yes (place order)' }))
  await page.waitForURL('**/orders/view')
  await page.locator('main h1').waitFor()
  return [...longest].map(([name, duration]) => ({ name, duration }))
}
