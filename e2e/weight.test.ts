import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { LANDING, scriptFilesOf } from '../scripts/sizes.ts'
import { openShop, type TestShop } from '../test/shop.ts'
import { visit } from './steps.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ pages: true, listen: true, settings: { DEMO: 'on' } })
})
afterAll(() => shop.close())

test('the landing page loads the scripts that are counted, and no others', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/')
  await there.page.waitForLoadState('networkidle')
  const loaded = await there.page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.slice(1)),
  )
  const counted = await scriptFilesOf(inject('built'), LANDING)
  expect(loaded.filter(file => file.endsWith('.js')).sort()).toEqual(counted.sort())
})
