import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Person, TestShop } from '../shop.ts'
import { launchChromium } from './chromium.ts'

/** How long content may take to appear, ms, also on a machine with other load. */
export const TIMEOUT_MS = 30_000

/** One for all files of a worker, with which it ends. */
let launched: Promise<Browser> | undefined

export interface PageOptions {
  /** Run the page's scripts; default: yes. */
  scripts?: boolean
  /** Of the window, CSS pixels. */
  width?: number
  signedInAs?: Person | undefined
  /** Expected console messages and network failures. */
  expects?: RegExp[]
  theme?: 'light' | 'dark'
}

/**
 * A new page of the shop, closed with the test. The test fails on console messages, errors, failed requests, and
 * requests to other hosts.
 */
export async function openPage(shop: Pick<TestShop, 'address'>, options: PageOptions = {}): Promise<Page> {
  const { scripts = true, width = 1280, signedInAs, expects = [], theme = 'light' } = options
  launched ??= launchChromium()
  const settings: BrowserContextOptions = {
    baseURL: shop.address,
    javaScriptEnabled: scripts,
    viewport: { width, height: 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  }
  const context = await (await launched).newContext(settings)
  context.setDefaultTimeout(TIMEOUT_MS)
  if (signedInAs) await context.addCookies(cookiesOf(signedInAs, shop.address))
  const page = await context.newPage()
  // With a listener, the browser never shows a file dialog of its own.
  page.on('filechooser', () => {})
  const complaints = listen(page, shop.address)
  onTestFinished(async () => {
    await context.close()
    expect(complaints.filter(text => !expects.some(expected => expected.test(text)))).toEqual([])
  })
  return page
}

/** The session cookie of a user, and those beside it. */
export function cookiesOf({ cookie, choices }: Person, url: string) {
  const [name = '', value = ''] = cookie.split('=')
  return Object.entries({ [name]: value, ...choices }).map(([name, value]) => ({ name, value, url }))
}

/** Collects errors of a page. */
function listen(page: Page, address: string): string[] {
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type()) && !isSessionCheck(message))
      complaints.push(textOf(message))
  })
  page.on('pageerror', error => complaints.push(`page error: ${error.stack ?? error.message}`))
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== address) complaints.push(`request to ${request.url()}`)
  })
  page.on('requestfailed', request => {
    const failure = request.failure()?.errorText
    // Navigation aborts requests; without scripts modulepreload is blocked.
    if (failure !== 'net::ERR_ABORTED' && !(failure === 'csp' && request.url().endsWith('.js')))
      complaints.push(`failed: ${request.method()} ${request.url()} ${failure}`)
  })
  return complaints
}

/** The browser itself reports every 401, also that of the session check. */
const isSessionCheck = (message: ConsoleMessage) =>
  /\/api\/auth\/(session)?$/.test(message.location().url) && message.text().includes('status of 401')

const textOf = (message: ConsoleMessage) =>
  `console ${message.type()}: ${message.text()} (${message.location().url})`

/** Opens an address, and waits for hydration if scripts run. */
export async function go(page: Page, path: string): Promise<number> {
  const response = await page.goto(path)
  await settled(page)
  return response?.status() ?? 0
}

/** Waits for hydration. Without scripts it returns at once. */
export async function settled(page: Page): Promise<void> {
  const scripted = await page.locator('html').evaluate(() => matchMedia('(scripting: enabled)').matches)
  if (!scripted) return
  // React hydrates in slices, and sets the text of a textarea when it comes to it.
  await page.waitForFunction(() => {
    const elements = [...document.querySelectorAll('#root > :first-child, #root textarea')]
    return (
      elements.length > 0 &&
      elements.every(element => Object.keys(element).some(key => key.startsWith('__reactFiber')))
    )
  })
}
