import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { correct, editsBetween } from './spelling.ts'
import { synonymsIn } from './synonyms.ts'

let shop: TestShop
let ana: Person
let bo: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  bo = await shop.signUp('bo')
  await shop.list(ana, { name: 'Walnut scarf' })
})
afterAll(() => shop.close())

const corrected = async (word: string, timeLimit?: number) =>
  (await correct(shop.db, [word], [], timeLimit)).get(word)?.map(({ word }) => word)

test.each([
  ['mug', 'mug', 0],
  ['mug', '', 3],
  ['mug', 'muug', 1],
  ['ring', 'rign', 1],
  ['scarf', 'skarf', 1],
  ['candle', 'cadnel', 2],
  ['bowl', 'towel', 2],
])('from %s to %s: %i edits', (a, b, edits) => {
  expect(editsBetween(a, b)).toBe(edits)
  expect(editsBetween(b, a)).toBe(edits)
})

test('a misspelled word is found, an unrelated one is not', async () => {
  expect(await corrected('skarf')).toEqual(['scarf'])
  expect(await corrected('wallnutt')).toEqual(['walnut'])
  expect(await corrected('zeppelin')).toBeUndefined()
  expect(await corrected('sc')).toBeUndefined()
})

test('words are corrected within the time limit, and left alone beyond it', async () => {
  const client = new pg.Client(shop.connection)
  await client.connect()
  try {
    await client.query('begin; lock table vocabulary in access exclusive mode')
    const began = performance.now()
    expect(await corrected('skarf', 200)).toBeUndefined()
    const took = performance.now() - began
    expect(took).toBeGreaterThan(150)
  } finally {
    await client.end()
  }
  expect(await corrected('skarf')).toEqual(['scarf'])
})

test('in a large vocabulary only words of two sellers are corrections', async () => {
  await shop.rows(`
    insert into vocabulary (word, stem, said_by)
    select 'x' || n || 'x', 'x' || n || 'x', ${ana.user.id} from generate_series(1, 10000) n`)
  await shop.list(ana, { name: 'Zibeline' })
  await shop.list(ana, { name: 'Zibeline shawl' })
  expect(await corrected('zibbeline')).toBeUndefined()
  // Still found.
  const found = async (q: string) => (await shop.visitor().get(`/api/products/?q=${q}`)).body.products
  expect(await found('zibeline')).toHaveLength(2)
  await shop.list(bo, { name: 'Zibeline coat' })
  expect(await corrected('zibbeline')).toEqual(['zibeline'])
})

test('every word in the list of synonyms can be searched', async () => {
  const { byStem, words } = await synonymsIn(shop.db)
  expect(words.length).toBeGreaterThan(50)
  const listed = words.map(({ word }) => `'${word}'`).join(', ')
  const unsearchable = await shop.rows(`
    select word from unnest(array[${listed}]) as word
    where plain_words(word) <> word or cardinality(ts_lexize('english_stem', word)) = 0`)
  expect(unsearchable).toEqual([])
  for (const [stem, others] of byStem) expect(others.length, stem).toBeGreaterThan(0)
})
