import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertAudit } from '../../../test/support/audit.ts'
import { countStatuses, expectFields, expectRefusal, times } from '../../../test/support/expect.ts'
import { newcomer } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const rename = (person: Person, names: Partial<Person['user']>) => {
  const { username, first_name, last_name } = { ...person.user, ...names }
  return person.put('/api/account/names', { username, first_name, last_name })
}
const newName = () => newcomer('new').username
const signUpAs = (username: string) =>
  shop.visitor().post('/api/auth/signup', { ...newcomer('other'), username, password: 'secret-1' })
const audit = () => assertAudit(shop.connection, () => shop.files)

test('new names are everywhere at once: listings, reviews, search, the shop page', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const mug = await shop.list(ana)
  const theirs = await shop.list(ben)
  await ana.post(`/api/reviews/${theirs.id}/create-review`, { review: 'Lovely.', stars: 5 })
  const before = ana.user.username
  for (const path of [`/products/${theirs.id}`, `/shops/${before}`, '/']) await ben.get(path)
  const username = newName()
  const response = await rename(ana, { username, first_name: 'Annalotte', last_name: 'Zimmerli' })
  expect(response).toMatchObject({
    status: 200,
    body: { username, first_name: 'Annalotte', email: ana.user.email },
  })
  expect((await ana.get('/api/auth/')).body).toEqual(response.body)
  expect((await ben.get(`/api/products/${mug.id}`)).body.seller).toBe(username)
  expect((await ben.get(`/products/${theirs.id}`)).body).toContain('Annalotte Zimmerli')
  const found = async (q: string) =>
    (await ben.get(`/api/products/?q=${encodeURIComponent(q)}`)).body.products.map(
      ({ id }: { id: number }) => id,
    )
  expect(await found(username)).toEqual([mug.id])
  expect((await ben.get(`/api/products/?seller=${username}`)).body.products).toHaveLength(1)
  await audit()
})

test('the old address of a shop leads to the new one, also after another change and in other letters', async () => {
  const ana = await shop.signUp('ana')
  const names = [ana.user.username, newName(), newName()]
  for (const username of names.slice(1)) expect((await rename(ana, { username })).status).toBe(200)
  const [first = '', second = '', last = ''] = names
  for (const old of [first, second, second.toUpperCase()]) {
    const { status, headers } = await shop.visitor().get(`/shops/${old}?min=5`)
    expect([status, headers.location]).toEqual([302, `/shops/${last}?min=5`])
    expect((await shop.visitor().get(`/api/shops/${old}`)).body.username).toBe(last)
  }
  await shop.rows('update former_usernames set held_until = now()')
  // In letters that no cache has seen.
  expect((await shop.visitor().get(`/shops/${first.toUpperCase()}`)).status).toBe(404)
})

test('a former username and its lookalikes are held for a year', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const old = `Olive-${newName()}`.slice(0, 30)
  await rename(ana, { username: old })
  await rename(ana, { username: newName() })
  const refused = { username: 'Username is already in use' }
  // The last looks the same.
  for (const taken of [old, old.toUpperCase(), old.replace('O', '0')]) {
    expectFields(await signUpAs(taken), 400, refused)
    expectRefusal(await rename(ben, { username: taken }), 400, refused.username)
  }
  const [held] = await shop.rows(
    `select held_until - left_at = interval '365 days' as year from former_usernames where held_until > now() limit 1`,
  )
  expect(held.year).toBe(true)
  // Its user takes it back; others never could.
  expect((await rename(ana, { username: old })).status).toBe(200)
  expectFields(await signUpAs(old), 400, refused)
})

test('after a year somebody else can have it, and it leads to them', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const old = ana.user.username
  await rename(ana, { username: newName() })
  await shop.rows('update former_usernames set held_until = now()')
  expect((await rename(ben, { username: old })).status).toBe(200)
  expect((await shop.visitor().get(`/api/shops/${old}`)).body.id).toBe(ben.user.id)
  // It is held for them when they give it up in their turn.
  await rename(ben, { username: newName() })
  expect((await shop.visitor().get(`/api/shops/${old}`)).body.id).toBe(ben.user.id)
})

test('the rules are those of the signup', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const length = 'must be between 3 and 30 characters'
  expectRefusal(
    await rename(ana, { username: 'ab', first_name: '', last_name: 'x'.repeat(31) }),
    400,
    `First name ${length}`,
    `Last name ${length}`,
    `Username ${length}`,
  )
  expectRefusal(await rename(ana, { username: ben.user.username }), 400, 'Username is already in use')
  const lookalike = `ben${'l'}${newName()}`.slice(0, 20)
  await rename(ben, { username: lookalike })
  expectRefusal(
    await rename(ana, { username: lookalike.replace('l', 'I') }),
    400,
    'Username looks like one that is already in use',
  )
  // Only other letters of one's own name: nothing is given up.
  const { username } = ana.user
  expect((await rename(ana, { username: username.toUpperCase() })).status).toBe(200)
  expect(await shop.rows(`select 1 from former_usernames where user_id = ${ana.user.id}`)).toEqual([])
})

test('a username is changed three times in 30 days; first and last name as often as the limit allows', async () => {
  const ana = await shop.signUp('ana')
  const first = ana.user.username
  for (let n = 0; n < 3; n++) expect((await rename(ana, { username: newName() })).status).toBe(200)
  const { body } = await ana.get('/api/auth/')
  ana.user = body
  expectRefusal(
    await rename(ana, { username: newName() }),
    409,
    'Username was changed 3 times in 30 days. Please wait before you change it again',
  )
  expect((await rename(ana, { first_name: 'Another' })).status).toBe(200)
  // One that is taken back does not count.
  expect((await rename(ana, { username: first })).status).toBe(200)
  await shop.rows(
    `update former_usernames set left_at = now() - interval '31 days' where user_id = ${ana.user.id}`,
  )
  expect((await rename(ana, { username: newName() })).status).toBe(200)
})

test('changes of names are limited by the hour', async () => {
  const strict = await openShop({ settings: { LIMITS: 'on', LIMIT_NAMES: '2' } })
  try {
    const ana = await strict.signUp('ana')
    const responses = await times(4, n => rename(ana, { first_name: `Anna${n}` }))
    expect(countStatuses(responses)).toEqual({ 200: 2, 429: 2 })
  } finally {
    await strict.close()
  }
})

test('a name that is given up while others sign up for it stays held', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const ana = await shop.signUp('ana')
    const old = ana.user.username
    const [renamed, ...others] = await Promise.all([
      rename(ana, { username: newName() }),
      signUpAs(old),
      signUpAs(old),
      rename(await shop.signUp('ben'), { username: old }),
    ])
    expect(renamed.status).toBe(200)
    expect(countStatuses(others)).toEqual({ 400: 3 })
  }
})

test('listings that are added or changed at the moment of a change are found by the new names', async () => {
  const ana = await shop.signUp('ana')
  const mug = await shop.list(ana)
  for (let turn = 0; turn < 5; turn++) {
    const last_name = `Turn${'abcde'[turn]}`
    await Promise.all([
      rename(ana, { last_name }),
      ana.put(`/api/products/${mug.id}`, { ...mug, name: `Mug ${turn}`, id: mug.id }),
      shop.list(ana, { name: `Bowl ${turn}` }),
    ])
  }
  // The catalogue is compared with its source.
  await audit()
})

test('sales go on while a seller changes their names', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const mug = await shop.list(ana, { stock: 9 })
  await ben.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  const [sale, renamed] = await Promise.all([
    ben.post('/api/orders/checkout'),
    rename(ana, { username: newName() }),
  ])
  expect([sale.status, renamed.status]).toEqual([201, 200])
  await audit()
})

test('the demo account keeps its names', async () => {
  const demo = await shop.signUp('demo')
  await shop.rows(`update users set email = 'demo@example.com' where id = ${demo.user.id}`)
  expectRefusal(
    await rename(demo, { first_name: 'Other' }),
    403,
    'The demo account is everybody’s: it stays as it is',
  )
})
