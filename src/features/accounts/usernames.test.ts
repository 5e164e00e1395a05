import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectFields } from '../../../test/support/expect.ts'
import { newcomer } from '../../../test/support/person.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
  await shop
    .visitor()
    .post('/api/auth/signup', { ...newcomer(), username: 'wren_thistledown', password: 'secret-1' })
})
afterAll(() => shop.close())

const signUp = (fields: Record<string, string>) =>
  shop.visitor().post('/api/auth/signup', { ...newcomer(), password: 'secret-1', ...fields })

const UNSEEN = 'contains characters that cannot be seen. Please type it again'

test.each([
  ['zero width space', 'wren\u200bthistledown'],
  ['nothing but that', '\u200b\u200b\u200b'],
  ['turned around', '\u202ewren'],
  ['isolated', '\u2066wren\u2069'],
  ['two lines', 'a\nb c'],
  ['line separator', 'wren\u2028b'],
  ['bells', '\u0007\u0007\u0007'],
  ['soft hyphen', 'wr\u00aden'],
  ['Hangul fillers', '\u3164\u3164\u3164'],
  ['a filler and a joiner', '\u3164\u200dabc'],
  ['blanks of Braille', '\u2800\u2800\u2800'],
  ['joiners alone', '\u200d\u200d\u200d'],
  ['many joiners', 'wren\u200d\u200d\u200d\u200d'],
  ['tags', 'wren\u{e0041}\u{e0042}'],
  ['private use', 'wren\ue000'],
])('a name with invisible characters is refused: %s', async (_, text) => {
  expectFields(await signUp({ username: text, first_name: text, last_name: text }), 400, {
    username: `Username ${UNSEEN}`,
    first_name: `First name ${UNSEEN}`,
    last_name: `Last name ${UNSEEN}`,
  })
})

test.each([
  ['in capitals', 'WREN_THISTLEDOWN', 'Username is already in use'],
  ['with an l for the I', 'Wren_Thistledown'.replaceAll('l', 'I')],
  ['with a 1 for the l', 'wren_thist1edown'],
  ['with a 0', 'wren_thistled0wn'],
  ['full width', 'ｗｒｅｎ＿ｔｈｉｓｔｌｅｄｏｗｎ'],
  ['of mathematics', '𝐰𝐫𝐞𝐧_𝐭𝐡𝐢𝐬𝐭𝐥𝐞𝐝𝐨𝐰𝐧'],
  ['with a selector', 'wren_thistledown\ufe0f'],
  ['with a joiner', 'wren\u200d_thistledown'],
])(
  'a name that looks like another’s is refused: %s',
  async (_, username, told = 'Username looks like one that is already in use') => {
    expectFields(await signUp({ username }), 400, { username: told })
  },
)

test.each(['wren_thistledоwn', 'wrеn_thistledown', 'αna-wеaver', 'Ꮃren'])(
  'letters of two alphabets in one word are refused: %s',
  async username => {
    expectFields(await signUp({ username }), 400, {
      username: 'Username mixes the letters of two alphabets in one word',
    })
  },
)

test('a name in lookalike letters of one alphabet is refused as well', async () => {
  expect((await signUp({ username: 'space-co' })).status).toBe(201)
  expectFields(await signUp({ username: 'ѕрасе-со' }), 400, {
    username: 'Username looks like one that is already in use',
  })
})

test('of two concurrent signups with lookalike names one succeeds', async () => {
  const [one, other] = await Promise.all([
    signUp({ username: 'maple-hill' }),
    signUp({ username: 'mapIe-hilI' }),
  ])
  expect([one.status, other.status].sort()).toEqual([201, 400])
})

test.each([
  'Ёлка и шишка',
  'Ёлка Studio',
  '李小龍',
  'O’Brien',
  "O'Brien-Smith",
  'Zoë Müller',
  'Νίκος',
  'Đặng Thị Hà',
  'שרה לוי',
  'علی‌رضا',
  'क्‍ष मिट्टी',
  'สมชาย',
  '김서연',
  'ᠮᠤᠩᠭᠤᠯ᠎ᠠ',
  '葛\u{e0100}城さん',
  '🧶 yarn 🧵',
  '👩🏽‍🎨 paints ❤️',
  'a.b_c-d+e',
])('a name in any script is accepted: %s', async name => {
  const names = { username: name, first_name: name, last_name: name }
  const { status, body } = await signUp(names)
  expect([status, body]).toEqual([201, expect.objectContaining(names)])
  expect((await shop.visitor().get(`/api/shops/${encodeURIComponent(name)}`)).status).toBe(200)
})

test('first and last names may look alike and mix alphabets', async () => {
  for (const last_name of ['Weaver', 'Wеaver'])
    expect((await signUp({ last_name, username: `ben-${randomUUID()}`.slice(0, 20) })).status).toBe(201)
})
