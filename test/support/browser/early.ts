import type { Page } from 'playwright-core'
import { openShop, type Person, type TestShop } from '../shop.ts'
import { settled } from './browser.ts'
import { gate, picture, type Visit, visit } from './steps.ts'

/** What the cases need. */
export interface EarlyShop {
  shop: TestShop
  maker: Person
  /** Ids of two listings of the maker, and of a review of the second. */
  mug: number
  vase: number
  review: number
  /** A new user. */
  shopper: () => Promise<Person>
  owner: () => Person
  /** A user with a mug in the cart. */
  withMug: () => Promise<Person>
}

/** Opens a shop for the cases. Close it when done. */
export async function openEarlyShop(): Promise<EarlyShop> {
  const shop = await openShop()
  const maker = await shop.signUp('maker')
  const mug = (await shop.list(maker, { name: 'Speckled mug', price: 10, stock: 90 })).id
  const vase = (await shop.list(maker, { name: 'Sage vase', price: 5, stock: 90 })).id
  for (let n = 1; n <= 12; n++) await shop.list(maker, { name: `Bowl ${n}`, price: n })
  await maker.upload(`/api/products/${mug}/images`, (await picture()).buffer)
  await maker.put(`/api/shops/${maker.user.username}`, { words: 'I throw mugs.', place: 'By the river' })
  const input = { review: 'Holds tulips.', stars: 4 }
  const critic = await shop.signUp('critic')
  const review = (await critic.post(`/api/reviews/${vase}/create-review`, input)).body.id
  await maker.put(`/api/reviews/${review}/reply`, { reply: 'Thank you.' })
  const shopper = () => shop.signUp('shopper')
  const withMug = async () => {
    const person = await shopper()
    await person.post(`/api/cart_items/add/${mug}`, { quantity: 1 })
    return person
  }
  return { shop, maker, mug, vase, review, shopper, owner: () => maker, withMug }
}

/** What people do on a page before hydration, or without it. */
export interface Case {
  path: string | ((person: Person) => string | Promise<string>)
  /** The user; default: a visitor. */
  viewer?: () => Person | Promise<Person>
  does: (there: Visit, person: Person | undefined) => Promise<void>
  expects?: (there: Visit, person: Person | undefined, scripts: boolean) => Promise<void>
}

/** The name of the focused field. */
export const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.getAttribute('name'))

/** Watches a text of the page: `stayed` reports its duration. */
export const watch = (page: Page, text: string): Promise<void> =>
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
export const stayed = (page: Page): Promise<number> =>
  page.evaluate(() => (window as { stayed?: number }).stayed ?? Number.POSITIVE_INFINITY)

const OPTIONS = { expects: [/ERR_FAILED/, /status of 4\d\d/] }

/** Runs a case on a page of its own, whose scripts wait for `scripts`, or never load. */
async function run(
  { shop, maker }: EarlyShop,
  { path, viewer, does, expects }: Case,
  scripts: 'late' | 'never',
): Promise<void> {
  const person = await viewer?.()
  const there = await visit(shop, 'with scripts', { ...OPTIONS, signedInAs: person })
  const { page } = there
  page.setDefaultTimeout(120_000)
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
export async function untilHydrated(page: Page): Promise<void> {
  await settled(page)
  await page.waitForFunction(() =>
    [...document.querySelectorAll('#root :is(input, textarea, select, button, a, summary)')].every(element =>
      Object.keys(element).some(key => key.startsWith('__reactProps')),
    ),
  )
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => globalThis.setTimeout(done, 50))))
}

/** Cases that run at the same time: they wait for much of their time, and share the browser. */
const CONCURRENT = 4

/** Runs all cases. @returns failures by case */
export async function runAll(
  shop: EarlyShop,
  cases: Record<string, Case>,
  scripts: 'late' | 'never',
): Promise<Record<string, string>> {
  const failures: Record<string, string> = {}
  const left = Object.entries(cases).values()
  const worker = async () => {
    for (const [name, each] of left) {
      await run(shop, each, scripts).catch(error => {
        failures[name] = String(error.stack)
      })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, worker))
  return failures
}
