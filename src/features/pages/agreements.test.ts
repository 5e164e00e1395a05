import { strFromU8 } from 'fflate'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countStatuses, expectFields, expectRefusal, times } from '../../../test/support/expect.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { download } from '../../../test/support/own-data.ts'
import { newcomer, PASSWORD } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { SLUGS, type Slug } from './contract.ts'

let shop: TestShop
let otto: Person
beforeAll(async () => {
  shop = await openShop({ signups: true })
  otto = await openOperator(shop)
})
afterAll(() => shop.close())
beforeEach(async () => {
  for (const slug of SLUGS) await ask(slug, false)
})

const at = (slug: Slug) => `/api/operate/pages/${slug}`
const ask = (slug: Slug, agreed_at_signup: boolean) =>
  otto.put(`${at(slug)}/agreement`, { agreed_at_signup, reason: 'The law' })
/** Publishes a new version. @returns its id */
async function publish(slug: Slug, text: string): Promise<number> {
  const { base } = (await otto.get(at(slug))).body
  const { id } = (await otto.post(`${at(slug)}/versions`, { text, base })).body
  expect((await otto.post(`${at(slug)}/publish`, { version: id, reason: 'The meeting' })).status).toBe(200)
  return id
}
const asked = async () => (await shop.visitor().get('/api/auth/signup')).body.pages
async function signUp(agreed?: unknown) {
  const person = shop.visitor()
  const response = await person.post('/api/auth/signup', {
    ...newcomer(),
    password: PASSWORD,
    ...(agreed === undefined ? {} : { agreed }),
  })
  return { person, response }
}
const agreementsOf = async (person: Person) => (await person.get('/api/account/agreements')).body.agreements
const PLEASE = 'Please agree to the Terms and the Privacy notice'

test('to begin with nobody is asked to agree to anything, also while pages are published', async () => {
  await publish('terms', 'Be fair.')
  expect(await asked()).toEqual([])
  const { person, response } = await signUp()
  expect(response.status).toBe(201)
  expect(await agreementsOf(person)).toEqual([])
})

test('new members agree to the published versions of the chosen pages', async () => {
  const privacy = await publish('privacy', 'We store little.')
  const terms = await publish('terms', 'Be kind.')
  await ask('privacy', true)
  await ask('terms', true)
  expect(await asked()).toEqual([
    { version: terms, path: '/terms', name: 'the Terms' },
    { version: privacy, path: '/privacy', name: 'the Privacy notice' },
  ])
  expectFields((await signUp()).response, 400, { agreed: PLEASE })
  expectFields((await signUp([])).response, 400, { agreed: PLEASE })
  const nearly = 'There is a new version of the Terms since you opened this form. Please agree to it'
  expectFields((await signUp([privacy])).response, 400, { agreed: nearly })
  const wrong = 'Agreed must be a list of at most 20 ids of versions'
  for (const agreed of [true, [0.5], ['a'], Array(21).fill(terms)])
    expectFields((await signUp(agreed)).response, 400, { agreed: wrong })
  const { person, response } = await signUp([privacy, terms, 7])
  expect(response.status).toBe(201)
  const agreements = await agreementsOf(person)
  expect(agreements).toEqual(
    [terms, privacy].map(version => ({
      slug: version === terms ? 'terms' : 'privacy',
      title: version === terms ? 'Terms' : 'Privacy',
      version,
      agreed_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })),
  )
  const { 'data.json': data = new Uint8Array() } = await download(shop, person)
  expect(JSON.parse(strFromU8(data)).agreements).toMatchObject([
    { version: terms, text: 'Be kind.' },
    { version: privacy, text: 'We store little.' },
  ])
})

test('a refused signup makes no account', async () => {
  await ask('terms', true)
  const count = async () => (await shop.rows('select count(*)::int as n from users'))[0]?.n
  const before = await count()
  expectFields((await signUp()).response, 400, { agreed: 'Please agree to the Terms' })
  expect(await count()).toBe(before)
})

test('a page that is taken back is not agreed to, and is again when it is published', async () => {
  await ask('contact', true)
  expect(await asked()).toEqual([])
  expect((await signUp()).response.status).toBe(201)
  const version = await publish('contact', 'Write to us.')
  expect(await asked()).toMatchObject([{ version, path: '/contact' }])
  await otto.post(`${at('contact')}/take-back`, { reason: 'It is old' })
  expect(await asked()).toEqual([])
  expect((await signUp()).response.status).toBe(201)
})

test('an agreement to an older version is none; earlier members keep theirs, and are not asked', async () => {
  const first = await publish('terms', 'Be kind.')
  await ask('terms', true)
  const { person, response } = await signUp([first])
  expect(response.status).toBe(201)
  const second = await publish('terms', 'Be very kind.')
  expectFields((await signUp([first])).response, 400, {
    agreed: 'There is a new version of the Terms since you opened this form. Please agree to it',
  })
  expect((await signUp([second])).response.status).toBe(201)
  expect(await agreementsOf(person)).toMatchObject([{ version: first }])
  const { email } = person.user ?? (await person.get('/api/auth/')).body
  expect((await shop.visitor().post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
})

test('whoever signs up while a version is published has agreed to the one that was published then', async () => {
  const first = await publish('terms', 'One.')
  await ask('terms', true)
  const { base } = (await otto.get(at('terms'))).body
  const { id: second } = (await otto.post(`${at('terms')}/versions`, { text: 'Two.', base })).body
  const [signups] = await Promise.all([
    times(12, () => signUp([first])),
    otto.post(`${at('terms')}/publish`, { version: second, reason: 'The meeting' }),
  ])
  const { 201: in_time = 0, 400: late = 0 } = countStatuses(signups.map(({ response }) => response))
  expect(in_time + late).toBe(12)
  expect(await shop.rows(`select 1 from agreements where version_id = ${first}`)).toHaveLength(in_time)
  expect(await shop.rows(`select 1 from agreements where version_id = ${second}`)).toEqual([])
  expectFields((await signUp([first])).response, 400, { agreed: expect.stringContaining('new version') })
})

test('agreements are append-only, and go with the account', async () => {
  const version = await publish('terms', 'Be kind.')
  await ask('terms', true)
  const { person } = await signUp([version])
  const { id } = (await person.get('/api/auth/')).body
  for (const statement of [
    `update agreements set agreed_at = now() where user_id = ${id}`,
    `delete from agreements where user_id = ${id}`,
    'truncate agreements',
  ])
    await expect(shop.rows(statement)).rejects.toThrow('agreements are never rewritten')
  const gone = { current_password: PASSWORD, reviews: 'keep' }
  expect((await person.post('/api/account/deletion', gone)).status).toBe(200)
  expect(await shop.rows(`select 1 from agreements where version_id = ${version}`)).toEqual([])
})

test('an operator chooses it, and the log says so once', async () => {
  expectRefusal(await ask('terms', 'yes' as never), 400, 'Agreed at signup must be true or false')
  await ask('terms', true)
  await ask('terms', true)
  expect((await otto.get(at('terms'))).body.agreed_at_signup).toBe(true)
  const { pages } = (await otto.get('/api/operate/pages')).body
  expect(pages.find(({ slug }: { slug: Slug }) => slug === 'terms').agreed_at_signup).toBe(true)
  await ask('terms', false)
  const [last, before] = (await otto.get('/api/operate/log')).body.entries
  expect([last, before]).toMatchObject([
    { action: 'page-agreement', reason: 'Terms: new members need not agree to it: The law' },
    { action: 'page-agreement', reason: 'Terms: new members agree to it: The law' },
  ])
})
