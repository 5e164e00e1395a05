import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support/expect.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
let number = 0
beforeAll(async () => {
  shop = await openShop({ signups: true })
})
afterAll(() => shop.close())
beforeEach(async () => {
  number++
  ;[ana, ben] = [await shop.signUp(`ana${number}`), await shop.signUp(`ben${number}`)]
})

const add = async (name: string): Promise<number> => (await ana.post('/api/sections/', { name })).body.id
const own = async () => (await ana.get('/api/sections/')).body.sections
const names = async () => (await own()).map(({ name }: { name: string }) => name)
const inSection = (id: number, query = '') => shop.visitor().get(`/api/products/?section=${id}${query}`)

test('a section is added at the end; one of the same name is the same one', async () => {
  const bowls = await add('Bowls')
  await add('Mugs')
  expect(await add(' Bowls ')).toBe(bowls)
  expect(await own()).toEqual([
    { id: bowls, name: 'Bowls', listings: 0 },
    { id: expect.any(Number), name: 'Mugs', listings: 0 },
  ])
})

test('a name is required, and has at most 24 characters', async () => {
  const id = await add('Bowls')
  for (const [letter, send] of [
    ['🧶', (name: unknown) => ana.post('/api/sections/', { name })],
    ['語', (name: unknown) => ana.put(`/api/sections/${id}`, { name })],
  ] as const) {
    expectRefusal(await send(' '), 400, 'Name is required')
    expectRefusal(await send(letter.repeat(25)), 400, 'Name cannot be more than 24 characters')
    expect((await send(letter.repeat(24))).status).toBeLessThan(300)
  }
})

test('one has at most 20 sections, also when they are added at once', async () => {
  const all = Array.from({ length: 22 }, (_, index) => ana.post('/api/sections/', { name: `Part ${index}` }))
  const responses = await Promise.all(all)
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
  const refused = responses.filter(({ status }) => status === 409)
  expectRefusal(refused[0]!, 409, 'You have 20 sections, which is the most. Remove one first')
  expect(await own()).toHaveLength(20)
})

test('two sections never have one name', async () => {
  await add('Bowls')
  const mugs = await add('Mugs')
  const renamed = await ana.put(`/api/sections/${mugs}`, { name: 'Bowls' })
  expectRefusal(renamed, 409, 'You have a section called Bowls already')
  expect((await ana.put(`/api/sections/${mugs}`, { name: 'Cups' })).body).toMatchObject({ name: 'Cups' })
  expect(await names()).toEqual(['Bowls', 'Cups'])
})

test('a section moves to a place among the others; beyond the last it is the last', async () => {
  const [a, b, c] = [await add('A'), await add('B'), await add('C')]
  const move = (id: number, position: unknown) => ana.put(`/api/sections/${id}/position`, { position })
  await move(c, 1)
  expect(await names()).toEqual(['C', 'A', 'B'])
  await move(a, 3)
  expect(await names()).toEqual(['C', 'B', 'A'])
  await move(b, 20)
  expect(await names()).toEqual(['C', 'A', 'B'])
  for (const nowhere of [0, 21, 1.5, '2'])
    expectRefusal(await move(b, nowhere), 400, 'Position must be a whole number from 1 to 20')
})

test('a removed section leaves its listings in the shop, without one', async () => {
  const bowls = await add('Bowls')
  const { id } = await shop.list(ana, { section_id: bowls })
  const gone = await shop.list(ana, { section_id: bowls })
  await ana.delete(`/api/products/${gone.id}`)
  expect(await own()).toEqual([{ id: bowls, name: 'Bowls', listings: 1 }])
  expect((await ana.delete(`/api/sections/${bowls}`)).status).toBe(200)
  expect((await ana.get(`/api/products/${id}/details`)).body).toMatchObject({
    section_id: null,
    section: null,
  })
  expect((await inSection(bowls)).body.products).toEqual([])
  expect(await own()).toEqual([])
})

test('the sections of another maker are nobody else’s', async () => {
  const id = await add('Bowls')
  for (const call of [
    ben.put(`/api/sections/${id}`, { name: 'Mine' }),
    ben.put(`/api/sections/${id}/position`, { position: 1 }),
    ben.delete(`/api/sections/${id}`),
  ])
    expectRefusal(await call, 404, 'There is no such section of yours')
  expect(await names()).toEqual(['Bowls'])
})

test('listings are filtered by section, with and without words, and counted so', async () => {
  const [bowls, mugs] = [await add('Bowls'), await add('Mugs')]
  const bowl = await shop.list(ana, { name: 'Blue bowl', section_id: bowls, price: 9 })
  const plain = await shop.list(ana, { name: 'Plain bowl', section_id: bowls, price: 3 })
  await shop.list(ana, { name: 'Blue mug', section_id: mugs })
  await shop.list(ana, { name: 'Blue vase' })
  const ids = ({ body }: { body: { products: { id: number }[] } }) => body.products.map(({ id }) => id)
  expect(ids(await inSection(bowls))).toEqual([plain.id, bowl.id])
  expect(ids(await inSection(bowls, '&q=blue'))).toEqual([bowl.id])
  expect(ids(await inSection(bowls, '&q=blue&sort=price_asc'))).toEqual([bowl.id])
  expect(ids(await inSection(bowls, '&sort=price_desc&min=4'))).toEqual([bowl.id])
  expect(ids(await inSection(bowls, `&seller=${ben.user.username}`))).toEqual([])
  for (const [query, count] of [
    ['', 2],
    ['&q=blue', 1],
    ['&q=bowl&max=4', 1],
  ] as const) {
    const { body } = await shop.visitor().get(`/api/products/counts?section=${bowls}${query}`)
    expect(body).toMatchObject({ count, more: false })
  }
  await ana.put(`/api/products/${bowl.id}`, { ...aMug, name: 'Blue bowl', section_id: mugs })
  expect(ids(await inSection(bowls))).toEqual([plain.id])
  expectRefusal(await inSection('x' as never), 400, 'Id must be a whole number above 0')
})

test('the page of a maker has links to the sections with listings, and shows one of them', async () => {
  const [bowls] = [await add('Bowls & plates'), await add('Empty one')]
  await shop.list(ana, { name: 'Blue bowl', section_id: bowls })
  await shop.list(ana, { name: 'Green mug' })
  const path = `/shops/${ana.user.username}`
  const page = async (query: string) =>
    (await shop.visitor().get(path + query, { accept: 'text/html' })).body as string
  const whole = await page('')
  expect(whole).toContain(`href="${path}?section=${bowls}"`)
  expect(whole).not.toContain('Empty one')
  expect(whole).toContain('Green mug')
  const part = await page(`?section=${bowls}`)
  expect(part).toContain('Blue bowl')
  expect(part).not.toContain('Green mug')
  // What is not in this section may be in another one.
  expect(await page(`?section=${bowls}&q=mug`)).toContain('In all sections: 1 piece')
  // The form of the filters keeps it.
  expect(part).toContain(`<input type="hidden" name="section" value="${bowls}"/>`)
  await ana.put(`/api/sections/${bowls}`, { name: 'Dishes' })
  expect(await page('')).toContain('Dishes')
  expectRefusal(await ana.get('/api/shops/nobody-at-all/sections'), 404, 'There is no such maker')
})

test('a refused form keeps the name that was typed', async () => {
  await add('Bowls')
  const id = await add('Mugs')
  const send = (fields: Record<string, string>) =>
    ana.send({
      method: 'POST',
      url: '/settings/sections',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      payload: new URLSearchParams(fields).toString(),
    })
  const renamed = await send({ intent: 'rename', id: String(id), name: 'Bowls' })
  expect(renamed.status).toBe(409)
  expect(renamed.body).toContain('You have a section called Bowls already')
  // Removed in another tab, as the last one: a user with a session is not asked to log in.
  for (const section of await own()) await ana.delete(`/api/sections/${section.id}`)
  const gone = await send({ intent: 'rename', id: String(id), name: 'Cups' })
  expect(gone.status).toBe(404)
  expect(gone.body).toContain('There is no such section of yours')
  expect(gone.body).not.toContain('>Log In<')
  const added = await send({ intent: 'add', name: 'x'.repeat(25) })
  expect(added.status).toBe(400)
  expect(added.body).toContain('Name cannot be more than 24 characters')
  expect(added.body).toContain(`value="${'x'.repeat(25)}"`)
})

test('a section that is removed while it gets a name is renamed first, or unknown', async () => {
  for (let n = 0; n < 10; n++) {
    const id = await add(`Bowls ${n}`)
    const [renamed] = await Promise.all([
      ana.put(`/api/sections/${id}`, { name: `Cups ${n}` }),
      ana.delete(`/api/sections/${id}`),
    ])
    expect([200, 404]).toContain(renamed.status)
  }
})
