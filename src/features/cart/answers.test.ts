import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { aMug } from '../../../test/support/listings.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
})
beforeEach(async () => {
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

const questions = [
  { title: 'Name', instructions: 'At most two words', required: true, max_length: 10 },
  { title: 'Colour', instructions: '', required: false, options: ['Blue', 'Green'] },
]
const named = (answer: string) => [{ question: 'Name', answer }]
const asking = (fields = {}) => shop.list(ana, { questions, ...fields })
const add = (id: number, quantity: number, answers?: unknown) =>
  ben.post(`/api/cart_items/add/${id}`, { quantity, ...(answers === undefined ? {} : { answers }) })
const cart = async () => (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items
const inCart = async () =>
  (await cart()).map(({ quantity, answers }: { quantity: number; answers?: { answer: string }[] }) => [
    quantity,
    ...(answers ?? []).map(({ answer }) => answer),
  ])

test('the same answers raise the line, others are another line', async () => {
  const { id } = await asking({ stock: 9 })
  const first = await add(id, 1, [{ question: 'Colour', answer: 'Blue' }, ...named(' Ana ')])
  expect(first).toMatchObject({ status: 201, body: { quantity: 1 } })
  expect(first.body.answers).toEqual([...named('Ana'), { question: 'Colour', answer: 'Blue' }])
  const again = await add(id, 2, [...named('Ana'), { question: 'Colour', answer: 'Blue' }])
  expect(again.body).toMatchObject({ id: first.body.id, quantity: 3 })
  await add(id, 1, [...named('Ana'), { question: 'Colour', answer: '' }])
  await add(id, 1, named('ana'))
  expect(await inCart()).toEqual([
    [3, 'Ana', 'Blue'],
    [1, 'Ana'],
    [1, 'ana'],
  ])
})

test('a listing without questions has one line, without answers', async () => {
  const { id } = await shop.list(ana)
  await add(id, 1)
  expect((await add(id, 1, [])).body).toEqual((await cart())[0])
  expect(await cart()).toEqual([expect.not.objectContaining({ answers: expect.anything() })])
})

test.each([
  ['no answers', undefined, ['Please answer “Name”']],
  ['a required one left empty', named('  '), ['Please answer “Name”']],
  [
    'a longer one, and none of the options',
    [...named('x'.repeat(11)), { question: 'Colour', answer: 'Red' }],
    [
      'The answer to “Name” cannot be more than 10 characters',
      'Please choose one of the options of “Colour”',
    ],
  ],
  ['two of one question', [...named('Ana'), ...named('Ben')], ['Please answer “Name” once']],
  [
    'one that is not asked',
    [...named('Ana'), { question: 'Size', answer: 'L' }],
    ['The maker does not ask this any more: please load the page again'],
  ],
  ...['constructor', '__proto__'].map((question): [string, object[], string[]] => [
    `one called ${question}`,
    [...named('Ana'), { question, answer: 'a\0b' }],
    ['The maker does not ask this any more: please load the page again'],
  ]),
  ...['a\0b', 'a\nb', 'a\u001bb', '\ud800'].map((answer): [string, object[], string[]] => [
    `the characters ${JSON.stringify(answer)}`,
    named(answer),
    ['The answer to “Name” contains characters that cannot be stored'],
  ]),
  ['no list', 'Ana', ['Answers must be a list with a question and an answer each']],
  [
    'no texts',
    [{ question: 'Name', answer: 5 }],
    ['Answers must be a list with a question and an answer each'],
  ],
  ['eight', Array.from({ length: 8 }, () => named('x')[0]), ['A listing takes at most 7 answers']],
])('refuses %s, and changes nothing', async (_, answers, errors) => {
  const { id } = await asking()
  const { status, body } = await add(id, 1, answers)
  expect({ status, errors: body.errors }).toEqual({ status: 400, errors })
  expect(await cart()).toEqual([])
})

test('an answer may have as many characters as the question says, counted by code point', async () => {
  const { id } = await asking()
  for (const name of ['x'.repeat(10), '🧶'.repeat(10)])
    expect((await add(id, 1, named(name))).status).toBe(201)
})

test('lines of one listing share its stock, each has at most 30', async () => {
  const { id, name } = await asking({ stock: 4 })
  const first = (await add(id, 3, named('Ana'))).body.id
  expectRefusal(await add(id, 2, named('Ben')), 409, `Your cart already holds 3 of ${name}; only 4 in stock`)
  const second = (await add(id, 1, named('Ben'))).body.id
  expectRefusal(await add(id, 1, named('Ben')), 409, `Your cart already holds 4 of ${name}; only 4 in stock`)
  const raise = (line: number, quantity: number) => ben.put(`/api/cart_items/${line}`, { quantity })
  expectRefusal(await raise(second, 2), 409, `Your cart already holds 3 of ${name}; only 4 in stock`)
  expectRefusal(await raise(second, 5), 409, `Only 4 of ${name} left in stock`)
  expect((await raise(first, 2)).status).toBe(200)
  expect((await raise(second, 2)).status).toBe(200)
  expect(await inCart()).toEqual([
    [2, 'Ana'],
    [2, 'Ben'],
  ])
  // Less than now is taken, also while both are more than there is.
  await shop.correctStock(id, -2)
  expect((await raise(first, 1)).status).toBe(200)
  expectRefusal(await raise(first, 2), 409, `Your cart already holds 2 of ${name}; only 2 in stock`)
  const many = await asking({ stock: 99 })
  await add(many.id, 30, named('Ana'))
  expectRefusal(
    await add(many.id, 1, named('Ana')),
    409,
    `Your cart already holds 30 of ${many.name}, which is the most for one order`,
  )
  expect((await add(many.id, 30, named('Ben'))).status).toBe(201)
})

test('lines that are added at the same time never hold more than there is', async () => {
  const { id, stock } = await asking({ stock: 3 })
  const adding = ['Ana', 'Ben', 'Ana', 'Cleo', 'Ben', 'Dan'].map(answer => add(id, 1, named(answer)))
  for (const { status } of await Promise.all(adding)) expect([201, 409]).toContain(status)
  const held = (await inCart()).reduce((sum: number, [quantity]: [number]) => sum + quantity, 0)
  expect(held).toBe(stock)
})

test('two lines of one listing are not ordered if they are more than there is', async () => {
  const { id, name } = await asking({ stock: 4 })
  for (const answer of ['Ana', 'Ben']) await add(id, 2, named(answer))
  await ana.put(`/api/products/${id}`, { ...aMug, stock: 3 })
  expectRefusal(await ben.post('/api/orders/checkout'), 409, `Only 3 of ${name} left in stock`)
  expect(await shop.stockOf(id)).toBe(3)
  await ben.put(`/api/cart_items/${(await cart())[1].id}`, { quantity: 1 })
  expect((await ben.post('/api/orders/checkout')).status).toBe(201)
  expect(await shop.stockOf(id)).toBe(0)
})

test('a line whose answers do not fit any more says so, and is ordered once they fit again', async () => {
  const { id, name } = await asking()
  await add(id, 1, named('Ana'))
  const ask = (changed: unknown[]) => ana.put(`/api/products/${id}`, { ...aMug, questions: changed })
  const [first, second] = questions
  const refusal = `The maker has changed what they ask about ${name}. Remove it, and add it again on its page`
  for (const changed of [
    [],
    [{ ...first, title: 'Your name' }],
    [{ ...first, max_length: 2 }],
    [first, { ...second, required: true }],
  ]) {
    expect((await ask(changed)).status).toBe(200)
    expect((await cart())[0].product.refusal).toBe(refusal)
    expect((await ben.get('/api/checkout/')).body.parts[0].refusal).toBe(refusal)
    expectRefusal(await ben.post('/api/orders/checkout'), 409, refusal)
  }
  // Other words around it, and one more that may be left empty: the answers fit.
  await ask([
    { ...first, instructions: 'One word', required: false },
    { title: 'Size', max_length: 5 },
  ])
  expect((await cart())[0].product.refusal).toBeUndefined()
  expect((await ben.post('/api/orders/checkout')).status).toBe(201)
})

test('a line from before there were questions cannot be ordered without the answers', async () => {
  const { id } = await shop.list(ana)
  await add(id, 1)
  await ana.put(`/api/products/${id}`, { ...aMug, questions })
  expect((await ben.post('/api/orders/checkout')).status).toBe(409)
  await add(id, 1, named('Ana'))
  const [line] = await cart()
  await ben.delete(`/api/cart_items/${line.id}`)
  expect((await ben.post('/api/orders/checkout')).status).toBe(201)
})

test('an option with two spaces in a row is sent as it was written', async () => {
  const options = ['Dark  blue', 'Green']
  const { id } = await asking({ questions: [{ title: 'Colour', instructions: '', required: true, options }] })
  // A browser sends the text of an option without a value with single spaces.
  expect((await ben.get(`/products/${id}`, { accept: 'text/html' })).body).toContain(
    '<option value="Dark  blue">Dark  blue</option>',
  )
  expect((await add(id, 1, [{ question: 'Colour', answer: 'Dark  blue' }])).status).toBe(201)
})
