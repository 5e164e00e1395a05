import { expect, test } from 'vitest'
import { injection } from '../faults/30-injection.ts'
import { openShop } from '../test/shop.ts'
import { launch } from './chromium.ts'

test('payloads in every text that people see of others: none is run, and nobody is led elsewhere', async () => {
  const [shop, browser] = [await openShop({ pages: true, listen: true }), await launch()]
  try {
    expect(await injection(shop, browser, 8)).toEqual({
      figure: expect.not.stringContaining('FAULTS'),
      holds: true,
    })
  } finally {
    await browser.close()
    await shop.close()
  }
}, 240_000)
