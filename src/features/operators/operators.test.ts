import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authenticator, addPasskey, LOCAL } from '../../../test/support/authenticator.ts'
import { expectRefusal, times } from '../../../test/support/expect.ts'
import { urlencoded } from '../../../test/support/form-posts.ts'
import { nameOperator, openOperator, operate, operateKeys } from '../../../test/support/operators.ts'
import { PASSWORD } from '../../../test/support/person.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { ALREADY_OPERATOR, PLEASE_CONFIRM } from './contract.ts'
import { waitingLetter } from './notify-operators.ts'
import { UNCONFIRMED } from './operators.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const NOTHING = 'There is nothing at this address'
const log = () => shop.rows('select action, by_command, reason, person_id from operator_log order by id')

test('an operator proves who they are, before anything opens', async () => {
  const otto = await nameOperator(shop, 'otto')
  expect((await otto.get('/api/operate/session')).body).toEqual({
    confirmed: false,
    passkey_required: false,
    has_passkey: false,
  })
  expectRefusal(await otto.get('/api/operate/log'), 403, PLEASE_CONFIRM)
  const wrong = await otto.post('/api/operate/session', { current_password: 'wrong-1' })
  expectRefusal(wrong, 400, 'The current password is not correct')
  expectRefusal(await otto.get('/api/operate/log'), 403, PLEASE_CONFIRM)
  expect((await otto.post('/api/operate/session', { current_password: PASSWORD })).status).toBe(200)
  expect((await otto.get('/api/operate/log')).status).toBe(200)
  expect((await otto.delete('/api/operate/session')).status).toBe(200)
  expectRefusal(await otto.get('/api/operate/log'), 403, PLEASE_CONFIRM)
  expect((await otto.get('/api/auth/')).status).toBe(200)
})

test('the cookie of the session alone opens nothing, nor does the second one with another session', async () => {
  const otto = await openOperator(shop)
  const thief = shop.visitor()
  thief.cookie = otto.cookie
  for (const key of operateKeys.filter(key => !key.endsWith('/session')))
    expectRefusal(await operate(thief, key, 7), 403, PLEASE_CONFIRM)
  const other = await openOperator(shop, 'olga')
  other.choices = otto.choices
  expectRefusal(await other.get('/api/operate/log'), 403, PLEASE_CONFIRM)
  expect((await otto.get('/api/operate/log')).status).toBe(200)
})

test('the pages of operators close after four hours, and with the session', async () => {
  const otto = await openOperator(shop)
  await shop.rows(`update operator_sessions set expires_at = now() - interval '1 second'`)
  expectRefusal(await otto.get('/api/operate/log'), 403, PLEASE_CONFIRM)
  await otto.post('/api/operate/session', { current_password: PASSWORD })
  const [{ hours }] = await shop.rows(
    `select round(extract(epoch from max(expires_at) - now()) / 3600) as hours from operator_sessions`,
  )
  expect(Number(hours)).toBe(4)
  await otto.get('/api/auth/logout')
  expect(await shop.rows('select 1 from operator_sessions where expires_at > now()')).toEqual([])
})

test('with a setting, operators prove it with a passkey alone', async () => {
  const strict = await openShop({ settings: { OPERATOR_PASSKEY: 'on' } })
  try {
    const otto = await nameOperator(strict, 'otto')
    const response = await otto.post('/api/operate/session', { current_password: PASSWORD })
    expectRefusal(response, 403, 'Operators of this shop need a passkey: add one in Settings, under Security')
    expect((await otto.get('/api/operate/session')).body).toMatchObject({ passkey_required: true })
    expectRefusal(await otto.get('/api/operate/log'), 403, PLEASE_CONFIRM)
    // One who knows the password alone can add a passkey: it counts a day later.
    const authenticator = new Authenticator()
    expect((await addPasskey(otto, authenticator)).status).toBe(201)
    const byPassword = await otto.post('/api/operate/session', { current_password: PASSWORD })
    expectRefusal(byPassword, 403, 'Please confirm with your passkey')
    const confirm = async () => {
      const asked = await otto.post('/api/auth/passkeys/confirmation', undefined, LOCAL)
      const passkey = authenticator.sign(asked.body)
      return otto.post('/api/operate/session', { passkey }, LOCAL)
    }
    expect(await confirm()).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('less than a day ago') },
    })
    expectRefusal(await otto.get('/api/operate/log'), 403, PLEASE_CONFIRM)
    await strict.rows(`update passkeys set created_at = now() - interval '25 hours'`)
    expect((await confirm()).status).toBe(200)
    expect((await otto.get('/api/operate/log')).status).toBe(200)
  } finally {
    await strict.close()
  }
})

test('an operator names another one, who finds the pages; somebody unknown or named already is refused', async () => {
  const otto = await openOperator(shop)
  const rosa = await shop.signUp('rosa')
  expectRefusal(await rosa.get('/api/operate/session'), 404, NOTHING)
  const body = { email: rosa.user.email.toUpperCase(), reason: 'Helps on Saturdays' }
  // Somebody else may have signed up with this address.
  expectRefusal(await otto.post('/api/operate/operators', body), 409, UNCONFIRMED)
  await shop.rows(`update users set email_confirmed_at = now() where id = ${rosa.user.id}`)
  const added = await otto.post('/api/operate/operators', body)
  expect([added.status, added.body.username]).toEqual([201, rosa.user.username])
  expect((await rosa.get('/api/operate/session')).body.confirmed).toBe(false)
  expectRefusal(await otto.post('/api/operate/operators', body), 409, ALREADY_OPERATOR)
  const nobody = await otto.post('/api/operate/operators', { ...body, email: 'nobody@example.com' })
  expectRefusal(nobody, 404, 'Nobody has an account with this address. They sign up first')
  expect((await log()).at(-1)).toEqual({
    action: 'operator-added',
    by_command: false,
    reason: 'Helps on Saturdays',
    person_id: rosa.user.id,
  })
})

test('an operator who is removed has nothing any more, and of two who remove each other one stays', async () => {
  const alone = await openShop()
  try {
    const otto = await openOperator(alone)
    const olga = await openOperator(alone, 'olga')
    const remove = (by: typeof otto, whom: typeof otto) =>
      by.post(`/api/operate/operators/${whom.user.id}/remove`, { reason: 'Has moved away' })
    const both = await Promise.all([remove(otto, olga), remove(olga, otto)])
    // The second one is an operator no more, or the last one.
    expect(both.map(({ status }) => status).filter(status => status === 200)).toHaveLength(1)
    const [left, gone] = both[0]?.status === 200 ? [otto, olga] : [olga, otto]
    expectRefusal(await gone.get('/api/operate/log'), 404, NOTHING)
    expect((await gone.get('/api/auth/')).status).toBe(200)
    expectRefusal(await remove(left, left), 409, 'The last operator stays. Name another one first')
  } finally {
    await alone.close()
  }
})

test('whoever removes themselves is led home', async () => {
  const otto = await openOperator(shop)
  await openOperator(shop, 'olga')
  const form = { intent: 'remove-operator', id: String(otto.user.id), reason: 'I have moved away' }
  const { status, headers } = await urlencoded(otto, '/operate/operators', form)
  expect([status, headers.location]).toEqual([303, '/'])
  expectRefusal(await otto.get('/api/operate/log'), 404, NOTHING)
})

test('a letter that waits is not written to somebody who is no operator any more', async () => {
  const [otto, rosa] = [await openOperator(shop), await shop.signUp('rosa')]
  const { write } = waitingLetter({
    subject: 'A report waits',
    path: '/operate',
    isAnyOpen: async () => true,
  })
  const to = (person: Person) => write(shop.db, { recipient: person.user.id } as never, {} as never)
  expect(await to(otto)).toMatchObject({ letter: { subject: 'A report waits' } })
  expect(await to(rosa)).toBeUndefined()
})

test('the log is searched by a username, or by the number of a listing or of an entry', async () => {
  const otto = await openOperator(shop)
  const mina = await shop.signUp('mina')
  const { id } = await shop.list(mina)
  const said = { reason: 'A copy', rule: '' }
  expect((await otto.post(`/api/operate/listings/${id}/hide`, said)).status).toBe(200)
  await otto.post(`/api/operate/people/${mina.user.id}/suspend`, said)
  const found = async (q: string) => {
    const { entries } = (await otto.get(`/api/operate/log?q=${q}`)).body
    return entries.map(({ action }: { action: string }) => action)
  }
  expect(await found(mina.user.username.toUpperCase())).toEqual(['person-suspended', 'listing-hidden'])
  expect(await found(String(id))).toEqual(['listing-hidden'])
  const shown = { reason: 'It was a mistake' }
  await otto.post(`/api/operate/people/${mina.user.id}/restore`, shown)
  const { entries } = (await otto.get('/api/operate/log')).body
  expect(await found(`%23${entries[0].about}`)).toEqual(['person-restored', 'person-suspended'])
  expect(await found('nobody')).toEqual([])
  await shop.rows(`update users set username = '20240' where id = ${mina.user.id}`)
  expect(await found('20240')).toEqual(['person-restored', 'person-suspended', 'listing-hidden'])
  expect((await found(otto.user.username)).slice(0, 2)).toEqual(['person-restored', 'person-suspended'])
})

test('the log is read a page at a time, and nobody rewrites it', async () => {
  const otto = await openOperator(shop)
  const first = (await otto.get('/api/operate/log?limit=2')).body
  expect(first.entries).toHaveLength(2)
  const next = (await otto.get(`/api/operate/log?limit=2&cursor=${first.next_cursor}`)).body
  expect(next.entries[0].id).toBeLessThan(first.entries[1].id)
  const never = 'what stands in operator_log is never rewritten'
  await expect(shop.rows(`update operator_log set reason = 'x'`)).rejects.toThrow(never)
  for (const column of ['operator_id', 'person_id'])
    for (const who of ['null', String((await shop.signUp('rosa')).user.id)])
      await expect(shop.rows(`update operator_log set ${column} = ${who}`)).rejects.toThrow(never)
  await expect(shop.rows('delete from operator_log')).rejects.toThrow(never)
  await expect(shop.rows('truncate operator_log cascade')).rejects.toThrow(never)
})

test('wrong passwords are counted, and after some the right one does not help', async () => {
  const limited = await openShop({ settings: { LIMITS: 'on' } })
  try {
    const otto = await nameOperator(limited, 'otto')
    await times(10, () => otto.post('/api/operate/session', { current_password: 'wrong-1' }))
    expect((await otto.post('/api/operate/session', { current_password: PASSWORD })).status).toBe(429)
  } finally {
    await limited.close()
  }
})

test('somebody who is suspended is not named', async () => {
  const otto = await openOperator(shop)
  const { user } = await shop.signUp('mina')
  await shop.rows(`update users set email_confirmed_at = now(), suspended_at = now() where id = ${user.id}`)
  const named = await otto.post('/api/operate/operators', { email: user.email, reason: 'Helps on Saturdays' })
  expectRefusal(named, 409, 'They are suspended. That is taken back first')
})
