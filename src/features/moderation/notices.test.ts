import { afterAll, beforeAll, expect, test } from 'vitest'
import { UNKNOWN_CURSOR } from '#contract'
import { expectRefusal, soon, times } from '../../../test/support/expect.ts'
import { openMailServer } from '../../../test/support/mail-server.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openForm, send } from '../../../test/support/resilience/forms.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { OBJECTION_LENGTH } from './notices-contract.ts'

let shop: TestShop
let otto: Person
let ana: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const statement = { reason: 'The photo is not yours', rule: 'Your own work' }
const hide = (id: number, by = otto) => by.post(`/api/operate/listings/${id}/hide`, statement)
const notices = async (person: Person) => (await person.get('/api/notices/')).body.notices
const words = 'I took it myself, at the river.'
const object = (decision: number, person = ana) =>
  person.post(`/api/notices/${decision}/objection`, { words })
const answer = (by: Person, decision: number, upheld: boolean) =>
  by.post(`/api/operate/objections/${decision}/answer`, { upheld, reason: 'We have looked again' })

/** A listing of Ana's that is hidden, and the decision. */
async function hidden(): Promise<{ id: number; decision: number }> {
  const { id } = await shop.list(ana, { name: 'Indigo bowl' })
  await hide(id)
  return { id, decision: (await notices(ana))[0].id }
}

test('whom a decision concerns reads what, why and by which rule, and nobody else does', async () => {
  const { decision } = await hidden()
  expect((await notices(ana))[0]).toEqual({
    id: decision,
    action: 'listing-hidden',
    listing: 'Indigo bowl',
    review: null,
    review_id: null,
    reply: null,
    ...statement,
    created_at: expect.any(String),
    taken_back_at: null,
    objection: null,
  })
  expect(await notices(otto)).toEqual([])
  expectRefusal(await object(decision, otto), 404, 'There is no such notice')
})

test('one objects once, another operator answers, and the listing is back', async () => {
  const { id, decision } = await hidden()
  const olga = await openOperator(shop, 'olga')
  const sent = await times(3, () => object(decision))
  expect(sent.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect((await olga.get('/api/operate/objections')).body.objections).toMatchObject([
    {
      person: ana.user.username,
      mine: false,
      decision: { id: decision, objection: { words, answer: null } },
    },
  ])
  const own = 'Another operator answers an objection to what you decided'
  expectRefusal(await answer(otto, decision, true), 409, own)
  expect((await answer(olga, decision, true)).status).toBe(200)
  expect((await ana.get(`/api/products/${id}`)).status).toBe(200)
  const upheld = { upheld: true, reason: 'We have looked again', created_at: expect.any(String) }
  expect(await notices(ana)).toMatchObject([
    { action: 'listing-shown', reason: 'We have looked again' },
    { id: decision, taken_back_at: expect.any(String), objection: { words, answer: upheld } },
    {},
  ])
  expectRefusal(await answer(olga, decision, false), 409, 'This objection is answered already')
  await olga.post(`/api/operate/operators/${olga.user.id}/remove`, { reason: 'Has moved away' })
})

test('the only operator answers objections to what they decided; refused, the decision stands', async () => {
  const { id, decision } = await hidden()
  await object(decision)
  expect((await answer(otto, decision, false)).status).toBe(200)
  expect((await ana.get(`/api/products/${id}`)).status).toBe(404)
  expect((await notices(ana))[0]).toMatchObject({
    id: decision,
    taken_back_at: null,
    objection: { answer: { upheld: false, reason: 'We have looked again' } },
  })
})

test('a decision that was taken back needs no objection, and an objection that waits is answered by it', async () => {
  const first = await hidden()
  await object(first.decision)
  await otto.post(`/api/operate/listings/${first.id}/show`, { reason: 'It was a mistake' })
  expect((await otto.get('/api/operate/objections')).body.objections).toEqual([])
  const second = await hidden()
  await otto.post(`/api/operate/listings/${second.id}/show`, { reason: 'It was a mistake' })
  expectRefusal(await object(second.decision), 409, 'There is nothing left to object to')
})

test('older notices are on further pages, where they are objected to', async () => {
  const nils = await shop.signUp('nils')
  const { id } = await shop.list(nils, { name: 'Oak stool' })
  await hide(id)
  const [{ id: oldest }] = await notices(nils)
  await shop.rows(`insert into operator_log (by_command, action, person_id, reason)
    select true, 'person-restored', ${nils.user.id}, 'Enough' from generate_series(1, 120)`)
  const read: number[] = []
  for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
    const { body } = await nils.get(`/api/notices/?limit=50${cursor && `&cursor=${cursor}`}`)
    read.push(...body.notices.map(({ id }: { id: number }) => id))
    cursor = body.next_cursor
  }
  expect(read).toHaveLength(121)
  expect(read).toEqual([...new Set(read)].sort((a, b) => b - a))
  expect(read.at(-1)).toBe(oldest)
  const at = async (query: string) =>
    (await nils.get(`/settings/notices${query}`, { accept: 'text/html' })).body
  expect(await at('')).toContain('rel="next"')
  expect(await at('')).not.toContain(`id="notice-${oldest}"`)

  const path = `/settings/notices?from=${oldest}`
  expect(await at(`?from=${oldest}`)).toContain(`id="notice-${oldest}"`)
  const { action, fields } = await openForm(nils, path, 'Send the objection')
  const tooLong = 'x'.repeat(OBJECTION_LENGTH + 1)
  const refused = await send(nils, { action, fields: { ...fields, words: tooLong } })
  expect(refused.status).toBe(400)
  expect(refused.body).toContain(`${tooLong}</textarea>`)
  const sent = await send(nils, { action, fields: { ...fields, words } })
  expect(sent.headers.location).toBe(`${path}&done=objected`)
  expect((await nils.get(`/api/notices/?from=${oldest}`)).body).toMatchObject({
    notices: [{ id: oldest, objection: { words } }],
    next_cursor: null,
  })
  expect((await nils.get('/settings/notices?from=1', { accept: 'text/html' })).headers.location).toBe(
    '/settings/notices',
  )
  expectRefusal(await nils.get('/api/notices/?cursor=x'), 400, UNKNOWN_CURSOR)
})

test('the letter says what, why, which rule, and how to object', async () => {
  const mail = await openMailServer()
  const lettered = await openShop({ settings: mail.settings })
  try {
    const operator = await openOperator(lettered)
    const maker = await lettered.signUp('mila')
    const { id } = await lettered.list(maker, { name: 'Walnut spoon' })
    await operator.post(`/api/operate/listings/${id}/hide`, statement)
    const found = () => mail.letters.find(({ subject }) => subject === 'Your piece Walnut spoon is hidden')
    await expect.poll(found, soon).toBeTruthy()
    const text = found()?.text ?? ''
    for (const part of [
      'The photo is not yours',
      'The rule: Your own work',
      'you can object',
      '/settings/notices',
    ])
      expect(text).toContain(part)
  } finally {
    await lettered.close()
    await mail.stop()
  }
})
