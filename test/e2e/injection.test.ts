import { expect, test } from 'vitest'
import { injection } from '../resilience/30-injection.ts'
import { launchChromium } from '../support/browser/chromium.ts'
import { openShop } from '../support/shop.ts'

test('payloads in every text: none is executed, and no redirect leaves the shop', async () => {
  const [shop, browser] = [await openShop(), await launchChromium()]
  try {
    expect(await injection(shop, browser, 8)).toEqual({
      figure: expect.not.stringContaining('FAULTS'),
      passed: true,
    })
  } finally {
    await browser.close()
    await shop.close()
  }
}, 240_000)
