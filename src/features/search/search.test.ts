import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOfAtom, faultsOfJson } from '../../../test/support/feed-rules.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sweepVocabulary } from './parse-query.ts'

let shop: TestShop
let visitor: Person
let thistle: Person
beforeAll(async () => {
  shop = await openShop()
  visitor = shop.visitor()
  thistle = await shop.signUp('thistledown')
  for (const [name, description] of [
    ['Crème Mug', 'For café au lait; holds 350 ml.'],
    ['Blue-Green Scarf', 'Knitted in mossy wool.'],
    ['Painted Candles', "The potter's apprentice rolled them."],
    ['Earrings', 'Hammered brass. Matches the scarf.'],
    ['Étagère', 'Oak and maple/walnut.'],
    ['ספל כחול', 'צבוע ביד'],
    ['Ring 50%', 'With a stone_setting, \\ and all.'],
    ['Stamped tag', 'Number 5e84b336003b.'],
  ])
    await shop.list(thistle, { name, description })
})
afterAll(() => shop.close())

const find = async (q: string) => {
  const { status, body } = await visitor.get(`/api/products/?q=${encodeURIComponent(q)}`)
  expect(status, `${q}: ${JSON.stringify(body)}`).toBe(200)
  return body.products.map(({ name }: { name: string }) => name) as string[]
}

test.each([
  ['another form of a word', 'mugs', 'Crème Mug'],
  ['another form in the description', 'knitting', 'Blue-Green Scarf'],
  ['no accent where there is one', 'creme', 'Crème Mug'],
  ['an accent where there is none', 'múg', 'Crème Mug'],
  ['an accent at the beginning', 'etagere', 'Étagère'],
  ['capitals', 'CANDLES', 'Painted Candles'],
  ['a word that begins like a number', '5e84b336003b', 'Stamped tag'],
  ['the beginning of a word', 'sca', 'Blue-Green Scarf'],
  ['the beginning of another form', 'hamme', 'Earrings'],
  ['a letter too many', 'muug', 'Crème Mug'],
  ['a letter too few', 'cndles', 'Painted Candles'],
  ['a wrong letter', 'skarf', 'Blue-Green Scarf'],
  ['two letters swapped', 'canldes', 'Painted Candles'],
  ['a missing letter at the beginning', 'arrings', 'Earrings'],
  ['two words, in the other order', 'scarf blue', 'Blue-Green Scarf'],
  ['words far apart', 'wool green', 'Blue-Green Scarf'],
  ['a word with a hyphen', 'blue-green', 'Blue-Green Scarf'],
  ['a word behind a slash', 'walnut', 'Étagère'],
  ['a genitive', 'potter’s', 'Painted Candles'],
  ['words that say little among others', 'the candles of the potter', 'Painted Candles'],
  ['a maker', 'thistledown', 'Crème Mug'],
  ['a maker and a piece', 'thistledown mug', 'Crème Mug'],
  ['a number', '350', 'Crème Mug'],
  ['another script', 'כחול', 'ספל כחול'],
])('search handles %s: %s', async (_, q, name) => {
  expect(await find(q)).toContain(name)
})

test('a match in the name comes before a newer one in the description', async () => {
  expect(await find('scarf')).toEqual(['Blue-Green Scarf', 'Earrings'])
})

test('search follows renames and deletions', async () => {
  const { id } = await shop.list(thistle, { name: 'Gargoyle' })
  expect(await find('gargoyle')).toEqual(['Gargoyle'])
  const draft = { category: 'Art & Collectibles', description: 'Stone.', price: 5, stock: 1 }
  await thistle.put(`/api/products/${id}`, { ...draft, name: 'Waterspout' })
  expect(await find('gargoyle')).toEqual([])
  expect(await find('waterspout')).toEqual(['Waterspout'])
  await thistle.delete(`/api/products/${id}`)
  expect(await find('waterspout')).toEqual([])
})

/** Malicious and meaningless queries. */
const HOSTILE = [
  ...`' '' " "" \` \\ \\\\ % %% _ & | ! ( ) () (( )) : :* * ** ; -- /* */ # ? ?? $ $$ $1 @ @@ ^ ~ < > <> <-> = + - . .. , / // [ ] { }`.split(
    ' ',
  ),
  "'; drop table products; --",
  "' or '1'='1",
  '& | ! ( :*',
  'mug & | bowl',
  'mug:*',
  "mug':A",
  '!mug',
  '(mug',
  'mug <-> bowl',
  'a:b:c',
  '\\x27',
  "E'\\x27'",
  '#{1+1}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00',
  '%',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00mug',
  '\u202eמug',
  'שלום עולם',
  'مرحبا بالعالم',
  '日本語の茶碗',
  'ไทย',
  '🎁',
  '👩‍👩‍👧‍👧🧶🏺',
  'e\u0301'.repeat(50),
  '\u0301'.repeat(100),
  '\u200b\u200b',
  '\ufeff',
  '\u00a0',
  '\t\r\n',
  'the',
  'the of and a',
  'a b c d e f g h i j k l m n o p q r s t u v w x y z',
  'x'.repeat(100),
  'x'.repeat(101),
  'mug '.repeat(750),
  'ﬁ ß Ø æ ŀ',
  'K', // the sign of the unit kelvin, which is a k in lower case
  '12345678901234567890',
  '1e999',
  'NaN',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
]

test('every query is answered, or refused as a whole', async () => {
  expect(HOSTILE.length).toBeGreaterThan(100)
  for (const q of HOSTILE) {
    const at = async (path: string, statuses = [200, 400]) => {
      const response = await visitor.get(`${path}?q=${encoded(q)}`)
      expect(statuses, `${path} ${q}: ${JSON.stringify(response.body)}`).toContain(response.status)
      return response
    }
    const [atom, json, page] = await Promise.all([
      at('/feeds/listings.atom'),
      at('/feeds/listings.json'),
      at('/search', [200, 302, 400]),
      at('/api/products/'),
      at('/api/products/counts'),
      at('/api/products/suggestions'),
    ])
    if (atom.status === 200) expect(faultsOfAtom(atom.body), q).toEqual([])
    if (json.status === 200) expect(faultsOfJson(json.body), q).toEqual([])
    // Only space is no search.
    if (page.status === 302) expect((await visitor.get(String(page.headers.location))).status, q).toBe(200)
  }
  expect(await find('scarf')).toContain('Blue-Green Scarf')
})

/** As a query parameter. Half a surrogate pair has no encoding: a client can only send its three bytes. */
const encoded = (text: string) => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80')

test('unused words leave the vocabulary, the others stay', async () => {
  const { id } = await shop.list(thistle, { name: 'Ephemeral Zibeline' })
  await thistle.delete(`/api/products/${id}`)
  const known = async () =>
    (await shop.db.selectFrom('vocabulary').select('word').execute()).map(({ word }) => word)
  expect(await known()).toContain('zibeline')
  await sweepVocabulary(shop.db)
  expect(await known()).not.toContain('zibeline')
  expect(await known()).toEqual(expect.arrayContaining(['scarf', 'candles', 'mossy', 'thistledown']))
})
