import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openShop, type Person, type TestResponse, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ben: Person
let listing: number
beforeAll(async () => {
  shop = await openShop()
  ben = await shop.signUp('ben')
})
beforeEach(async () => {
  listing = (await shop.list(ben)).id
})
afterAll(() => shop.close())

/** The two messages differ by a space, as in the specification. */
const CREATE = 'Reviews must be between 2 and  2000 characters'
const EDIT = 'Reviews must be between 2 and 2000 characters'
const STARS = 'Stars must be between 1 and 5'

const valid = { review: 'Lovely', stars: 4 }
const create = (fields: object) => ben.post(`/api/reviews/${listing}/create-review`, fields)
const edit = (fields: object) => ben.post(`/api/reviews/${listing}/edit-review`, fields)

function expectErrors({ status, body }: TestResponse, ...errors: string[]) {
  expect({ status, body }).toEqual({ status: 400, body: { message: errors[0], errors } })
}

/** Creating and editing refuse this, each with its own messages, and change nothing. */
async function expectRefused(fields: Record<string, unknown>, broken: ('review' | 'stars')[]) {
  const messages = (review: string) => broken.map(field => (field === 'review' ? review : STARS))
  expectErrors(await create({ ...valid, ...fields }), ...messages(CREATE))
  const { body: review } = await create(valid)
  expectErrors(await edit({ ...valid, ...fields }), ...messages(EDIT))
  expect((await ben.get(`/api/reviews/${listing}/reviews`)).body).toEqual([review])
}

/** Creating and editing accept this. */
async function expectAccepted(fields: Record<string, unknown>) {
  expect(await create({ ...valid, ...fields })).toMatchObject({ status: 201, body: fields })
  expect(await edit(valid)).toMatchObject({ status: 200, body: valid })
  expect(await edit({ ...valid, ...fields })).toMatchObject({ status: 200, body: fields })
}

test('every missing field has its message', async () => {
  expectErrors(await create({}), CREATE, STARS)
  await create(valid)
  expectErrors(await edit({}), EDIT, STARS)
  expectErrors(await edit({ stars: 3 }), EDIT)
  expectErrors(await edit({ review: 'Fine' }), STARS)
})

test.each(['x', '語', '🧶'])('a text of 2 to 2000 times %s is accepted', async character => {
  await expectAccepted({ review: character.repeat(2) })
  listing = (await shop.list(ben)).id
  await expectAccepted({ review: character.repeat(2000) })
})

test.each(['', 'x', '🧶', ' x ', '\n\t ', 'x'.repeat(2001), '🧶'.repeat(2001)])(
  'a text of another length is refused (%#)',
  review => expectRefused({ review }, ['review']),
)

test.each([{ review: 7 }, { review: true }, { review: ['xx'] }, { review: null }])('%j is no text', fields =>
  expectRefused(fields, ['review']),
)

test.each([1, 2, 3, 4, 5])('%i stars are accepted', stars => expectAccepted({ stars }))

test.each([
  { stars: 0 },
  { stars: 6 },
  { stars: -1 },
  { stars: 1.5 },
  { stars: 1e21 },
  { stars: '5' },
  { stars: '' },
])('%j: no such stars', fields => expectRefused(fields, ['stars']))

test.each([{ stars: true }, { stars: [2] }, { stars: null }, { stars: { n: 2 } }])('%j: no number', fields =>
  expectRefused(fields, ['stars']),
)

test('both rules broken: both messages', () => expectRefused({ review: 'x', stars: 6 }, ['review', 'stars']))

test('a text is trimmed, blanks inside stay', async () => {
  expect((await create({ review: '  a\n\nb  ', stars: 3 })).body.review).toBe('a\n\nb')
})

test('characters that the database cannot store are refused with a message', async () => {
  for (const review of ['xx\0', 'xx\ud83e']) {
    expectErrors(await create({ review, stars: 3 }), 'Review contains characters that cannot be stored')
  }
})
