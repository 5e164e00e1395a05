import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const shopOf = ({ user }: Person) => `/api/shops/${encodeURIComponent(user.username)}`
const pictureOf = (person: Person) => `${shopOf(person)}/picture`
const shopPage = async (person: Person) => (await shop.visitor().get(shopOf(person))).body

const portrait = () =>
  sharp({ create: { width: 400, height: 400, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()

test('every user has a page, empty at first', async () => {
  const ana = await shop.signUp('ana')
  expect(await shopPage(ana)).toEqual({
    id: ana.user.id,
    username: ana.user.username,
    name: '',
    address: '',
    display_name: ana.user.username,
    shows_name: false,
    words: '',
    place: ana.town,
    picture: null,
    member_since: ana.since,
    rating: null,
    review_count: 0,
    says_returns: false,
    takes_messages: true,
  })
  // Without a description there is no row.
  const quiet = await shop.signUp('quiet')
  await shop.db.deleteFrom('shops').where('user_id', '=', quiet.user.id).execute()
  expect(await shopPage(quiet)).toMatchObject({ id: quiet.user.id, words: '', place: '', picture: null })
})

test('every seller has a place and a date of signup', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const [of, other] = [await shopPage(ana), await shopPage(ben)]
  expect([of.place, other.place]).toEqual([ana.town, ben.town])
  expect([of.member_since, other.member_since]).toEqual([ana.since, ben.since])
  expect(of.place).not.toBe(other.place)
  expect(of.member_since).not.toBe(other.member_since)
})

test('a seller’s description is public', async () => {
  const ana = await shop.signUp('ana')
  const words = 'I throw mugs.\n\nMost of them stay round.'
  const { status, body } = await ana.put(shopOf(ana), { words: `  ${words} `, place: ' By the river 🧶' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ username: ana.user.username, words, place: 'By the river 🧶' })
  expect(await shopPage(ana)).toEqual(body)
  await ana.put(shopOf(ana), { words: '', place: '' })
  expect(await shopPage(ana)).toMatchObject({ words: '', place: '' })
})

test('up to 500 characters for the description and 80 for the place, counted by code point', async () => {
  const ana = await shop.signUp('ana')
  const longest = { words: '🧶'.repeat(500), place: '🧶'.repeat(80) }
  expect((await ana.put(shopOf(ana), longest)).body).toMatchObject(longest)
  expectRefusal(
    await ana.put(shopOf(ana), { words: 'x'.repeat(501), place: 'x'.repeat(81) }),
    400,
    'About you cannot be more than 500 characters',
    'Where you are cannot be more than 80 characters',
  )
  expectRefusal(
    await ana.put(shopOf(ana), { words: 7 }),
    400,
    'About you must be a text',
    'Where you are must be a text',
  )
  expectRefusal(
    await ana.put(shopOf(ana), { words: 'x\0', place: '\ud83e' }),
    400,
    'About you contains characters that cannot be stored',
    'Where you are contains characters that cannot be stored',
  )
  expect(await shopPage(ana)).toMatchObject(longest)
})

test('a seller is found ignoring case, with any username', async () => {
  for (const name of ['a/b', '100%', 'a%2Fb', 'ä ö?#', '...', 'Ça-va']) {
    const ana = await shop.signUp(name)
    expect((await shopPage(ana)).username).toBe(ana.user.username)
    const loud = encodeURIComponent(ana.user.username.toUpperCase())
    expect((await shop.visitor().get(`/api/shops/${loud}`)).body.username).toBe(ana.user.username)
  }
})

test('an unknown username: 404', async () => {
  const visitor = shop.visitor()
  expectRefusal(await visitor.get('/api/shops/nobody'), 404, 'There is no such maker')
  const ana = await shop.signUp('ana')
  for (const response of [
    await ana.put('/api/shops/nobody', { words: '', place: '' }),
    await ana.upload('/api/shops/nobody/picture', await portrait()),
    await ana.delete('/api/shops/nobody/picture'),
  ])
    expectRefusal(response, 404, 'There is no such maker')
})

test('an invalid username: 404', async () => {
  for (const name of ['x'.repeat(41), '%00', '%F0%9F', '%20'.repeat(31)])
    expect((await shop.visitor().get(`/api/shops/${name}`)).status, name).toBeGreaterThanOrEqual(400)
  expectRefusal(await shop.visitor().get('/api/shops/x%00y'), 404, 'There is nothing at this address')
})

test('the rating is the mean over all reviews of listings that are not deleted', async () => {
  const ana = await shop.signUp('ana')
  const [mug, bowl, gone] = [await shop.list(ana), await shop.list(ana), await shop.list(ana)]
  const stars = [
    [mug, 5],
    [mug, 4],
    [bowl, 2],
    [gone, 1],
  ] as const
  for (const [listing, given] of stars) {
    const ben = await shop.signUp('ben')
    await ben.post(`/api/reviews/${listing.id}/create-review`, { review: 'Fine', stars: given })
  }
  expect(await shopPage(ana)).toMatchObject({ rating: 3, review_count: 4 })
  await ana.delete(`/api/products/${gone.id}`)
  expect(await shopPage(ana)).toMatchObject({ rating: 3.7, review_count: 3 })
})

test('only the seller changes their page', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  await ana.upload(pictureOf(ana), await portrait())
  const before = await shopPage(ana)
  const message = 'Only its maker may change a shop'
  expectRefusal(await ben.put(shopOf(ana), { words: 'Mine', place: '' }), 403, message)
  expectRefusal(await ben.upload(pictureOf(ana), await portrait()), 403, message)
  expectRefusal(await ben.delete(pictureOf(ana)), 403, message)
  expectRefusal(await shop.visitor().put(shopOf(ana), { words: 'Mine', place: '' }), 401, 'Please log in')
  expect(await shopPage(ana)).toEqual(before)
})

test('listings of a seller, ignoring the case of the username, page by page', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const own = []
  for (let n = 0; n < 5; n++) own.unshift((await shop.list(ana)).id)
  await shop.list(ben)
  const seller = ana.user.username.toUpperCase()
  const ids: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query = `seller=${seller}&limit=2${cursor && `&cursor=${cursor}`}`
    const { body } = await shop.visitor().get(`/api/products/?${query}`)
    ids.push(...body.products.map(({ id }: { id: number }) => id))
    cursor = body.next_cursor
  }
  expect(ids).toEqual(own)
  const of = async (query: string) => (await shop.visitor().get(`/api/products/?${query}`)).body.products
  expect(await of(`seller=${seller}&category=Art+%26+Collectibles`)).toEqual([])
  expect(await of('seller=nobody')).toEqual([])
})
