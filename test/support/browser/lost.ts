import type { Page } from 'playwright-core'
import type { Person } from '../person.ts'
import type { TestShop } from '../shop.ts'
import { type Visit, visit } from './steps.ts'

/** What a page says after a lost connection. */
export const LOST = 'The connection was lost. Nothing you typed is gone: please try again'

/** The next call of this method and path is carried out, but its response is lost. @param times how many calls */
export async function loseNext(page: Page, method: string, path: string, times = 1): Promise<void> {
  let left = times
  await page.route(`**${path}`, async route => {
    if (left === 0 || route.request().method() !== method) return route.fallback()
    left--
    await route.fetch()
    await route.abort()
  })
}

/** Opens a page whose calls may be lost. */
export async function openLossy(shop: TestShop, path: string, person: Person): Promise<Visit> {
  const expects = [/Network failure/, /net::ERR_FAILED/, /status of 40[49]/]
  const there = await visit(shop, 'with scripts', { signedInAs: person, expects })
  await there.go(path)
  return there
}
