import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let visitor: Person
beforeAll(async () => {
  shop = await openShop()
  visitor = shop.visitor()
  const thistle = await shop.signUp('thistledown')
  for (const [name, description] of [
    ['Crème Mug', 'For café au lait; holds 350 ml.'],
    ['Blue-Green Scarf', 'Knitted in mossy wool.'],
    ['Painted Candles', "The potter's apprentice rolled them."],
    ['Earrings', 'Hammered brass. Matches the scarf.'],
  ])
    await shop.list(thistle, { name, description })
})
afterAll(() => shop.close())

const search = async (q: string, more = '') => {
  const [{ body }, counted] = await Promise.all([
    visitor.get(`/api/products/?q=${encodeURIComponent(q)}${more}`),
    visitor.get(`/api/products/counts?q=${encodeURIComponent(q)}${more}`),
  ])
  expect(counted.body.count, q).toBe(body.products.length)
  const names: string[] = body.products.map(({ name }: { name: string }) => name)
  return { read_as: body.read_as, fewer: body.fewer, names }
}

test('words that no listing has together are searched as the largest subset that one has', async () => {
  expect(await search('scarf candles')).toEqual({
    read_as: 'candles',
    fewer: true,
    names: ['Painted Candles'],
  })
  const both = await search('zeppelin mossy blue scarf')
  expect(both).toEqual({ read_as: 'mossy blue scarf', fewer: true, names: ['Blue-Green Scarf'] })
  // Corrected, then one word less.
  expect(await search('zeppelin skarf earrings')).toMatchObject({
    read_as: 'scarf earrings',
    names: ['Earrings'],
  })
  expect(await search('zeppelin')).toEqual({ names: [] })
  expect(await search('zeppelin dirigible')).toEqual({ names: [] })
})

test('if a filter leaves no results, no correction is reported', async () => {
  expect(await search('blue scarf', '&max=0.50')).toEqual({ names: [] })
  expect(await search('blue skarf', '&max=0.50')).toEqual({ names: [] })
  expect(await search('zeppelin scarf', '&max=0.50')).toEqual({ names: [] })
})

test('a list of fewer words has pages', async () => {
  const names: string[] = []
  let cursor = ''
  do {
    const { body } = await visitor.get(`/api/products/?q=zeppelin+scarf&limit=1${cursor}`)
    names.push(...body.products.map(({ name }: { name: string }) => name))
    cursor = body.next_cursor && `&cursor=${body.next_cursor}`
  } while (cursor)
  expect(names).toEqual(['Blue-Green Scarf', 'Earrings'])
})

test.each([
  ['another word for the thing', 'cup', 'Crème Mug'],
  ['… in another form', 'cups', 'Crème Mug'],
  ['… for its material', 'metal earrings', 'Earrings'],
  ['… mistyped', 'mettal earrings', 'Earrings'],
])('%s is found: %s', async (_, q, name) => {
  expect((await search(q)).names).toContain(name)
})

test('a correction is reported, and nothing if all words were known', async () => {
  expect(await search('skarf')).toMatchObject({ read_as: 'scarf', fewer: undefined })
  expect((await search('blue skarf')).read_as).toBe('blue scarf')
  expect((await search('scarf')).read_as).toBeUndefined()
  expect((await search('sca')).read_as).toBeUndefined()
})

test('at most three unknown words of a query are corrected', async () => {
  const found = await search('skarf gren mosy wol')
  expect(found.read_as).toBe('scarf green mossy')
})
