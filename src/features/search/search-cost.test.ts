import { expect, test } from 'vitest'
import { searchCost } from './search-cost.ts'

test.each([
  ['/api/products/?limit=24', 1],
  ['/api/products/?q=', 1],
  ['/api/products/?q=blue+walnut+salad+bowl', 1],
  ['/search?sort=newest&q=a%20b%20c%20d%20e&max=5', 2],
  ['/api/products/?q=a-b/c_d%2Ee,f+g+h+i', 3],
  ['/api/products/?q=%D7%A9%D7%9C%D7%95%D7%9D+b+c+d+e', 2],
  [`/feeds/listings.atom?q=${'x+'.repeat(2_000)}`, 3],
  ['/api/products/?q=%', 1],
])('%s costs as much as %i small requests', (url, cost) => {
  expect(searchCost(url)).toBe(cost)
})
