import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { aMug } from '../../../test/support/listings.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const sell = (questions: unknown) => ana.post('/api/products/', { ...aMug, questions })
const stored = async (id: number) => (await ana.get(`/api/products/${id}/details`)).body.questions
const text = (title: string, more = {}) => ({ title, max_length: 20, ...more })
const options = (count: number, length = 20) =>
  Array.from({ length: count }, (_, n) => String(n).padStart(length, 'x'))

test('a question is stored with everything that it says', async () => {
  const { status, body } = await sell([
    { title: ' Name ', max_length: 256 },
    { title: 'Colour', instructions: ' Glazed ', required: true, options: ['Blue', ' Green '] },
  ])
  expect(status).toBe(201)
  expect(await stored(body.id)).toEqual([
    { title: 'Name', instructions: '', required: false, max_length: 256 },
    { title: 'Colour', instructions: 'Glazed', required: true, options: ['Blue', 'Green'] },
  ])
})

test('the longest questions that there can be fit', async () => {
  const question = (n: number) => ({
    title: `${n}${'🧶'.repeat(44)}`,
    instructions: '🧶'.repeat(120),
    options: Array.from({ length: 30 }, (_, at) => `${'🧶'.repeat(18)}${at + 10}`),
  })
  const { status, body } = await sell([1, 2, 3, 4, 5].map(question))
  expect(status).toBe(201)
  expect(await stored(body.id)).toHaveLength(5)
})

test.each([
  ['no list', 'Name?', 'Questions must be a list of at most 5'],
  ['six', [1, 2, 3, 4, 5, 6].map(n => text(String(n))), 'Questions must be a list of at most 5'],
  ['two with one title', [text('Name'), text('Name')], 'Questions must have different titles'],
  ['an empty title', [text(' ')], 'Question is required'],
  ['a longer title', [text('x'.repeat(46))], 'Question cannot be more than 45 characters'],
  ['a title of two lines', [text('a\nb')], 'Question must be one line'],
  ['a NUL', [text('a\0b')], 'Question contains characters that cannot be stored'],
  [
    'longer instructions',
    [text('Name', { instructions: 'x'.repeat(121) })],
    'Instructions cannot be more than 120 characters',
  ],
  ['neither', [{ title: 'Name' }], 'A question has either a greatest length or options'],
  ['both', [text('Name', { options: ['a'] })], 'A question has either a greatest length or options'],
  ...[0, 257, 1.5, '20'].map((max_length): [string, object[], string] => [
    `a length of ${max_length}`,
    [text('Name', { max_length })],
    'Greatest length must be a whole number from 1 to 256',
  ]),
  ...[[], options(31), ['a', 'a']].map((some): [string, object[], string] => [
    `${some.length} options`,
    [{ title: 'Colour', options: some }],
    'Options must be a list of 1 to 30 different ones',
  ]),
  [
    'a longer option',
    [{ title: 'Colour', options: options(1, 21) }],
    'Option cannot be more than 20 characters',
  ],
])('refuses %s', async (_, questions, message) => {
  expectRefusal(await sell(questions), 400, message)
})
