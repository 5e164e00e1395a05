import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authenticator, addPasskey, LOCAL, logInWith } from '../../../test/support/authenticator.ts'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import {
  begin,
  confirmation,
  isIn,
  LATE,
  passkeys,
  regular,
  UNKNOWN,
} from '../../../test/support/passkey-calls.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { mayRemovePasskey } from './login-methods.ts'
import type { Passkey } from './passkeys-contract.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const LAST = 'This passkey is the only way to log in to your account, so it stays'
const WRONG = 'The current password is not correct'
const remove = (person: Person, id: number, proof: object = { current_password: person.password }) =>
  person.post(`/api/auth/passkeys/${id}/remove`, proof, LOCAL)

test('without a name a passkey has that of the browser', async () => {
  const ana = await shop.signUp('ana')
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' }
  const options = (await begin(ana)).body
  const credential = new Authenticator().create(options)
  const { body } = await ana.post('/api/auth/passkeys', { credential }, { ...LOCAL, ...agent })
  expect(body.name).toBe('Firefox on Linux')
})

test('adding needs the current password, or a passkey that one has', async () => {
  const { ana, phone } = await regular(shop)
  expectRefusal(await begin(ana, { current_password: 'not-it' }), 400, WRONG)
  expectRefusal(await begin(ana, {}), 400, 'Current password is required')
  expect((await begin(ana, { passkey: phone.sign(await confirmation(ana)) })).status).toBe(200)
  const eve = await shop.signUp('eve')
  expectRefusal(await begin(ana, { passkey: phone.sign(await confirmation(eve)) }), 400, LATE)
  const hers = await regular(shop)
  const signed = hers.phone.sign(await confirmation(ana))
  expect((await begin(ana, { passkey: signed })).status).toBe(400)
  expect(await passkeys(ana)).toHaveLength(1)
})

test('a credential that is there already is refused, also for somebody else', async () => {
  const { phone } = await regular(shop)
  const eve = await shop.signUp('eve')
  const [key] = phone.keys
  const made = new Authenticator()
  const options = (await begin(eve)).body
  const credential = made.create(options)
  await shop.rows(
    `update passkeys set credential_id = '${made.keys[0]!.id}' where credential_id = '${key!.id}'`,
  )
  expectRefusal(
    await eve.post('/api/auth/passkeys', { credential }, LOCAL),
    409,
    'This passkey is there already',
  )
  expect(await passkeys(eve)).toEqual([])
})

test('a passkey is renamed by its owner alone', async () => {
  const { ana, passkey } = await regular(shop)
  const eve = await shop.signUp('eve')
  const rename = (person: Person, name: unknown) => person.put(`/api/auth/passkeys/${passkey.id}`, { name })
  expectRefusal(await rename(eve, 'Mine'), 404, 'There is no such passkey')
  expectRefusal(await rename(ana, ' '), 400, 'Name is required')
  expectRefusal(await rename(ana, 'x'.repeat(61)), 400, 'Name cannot be more than 60 characters')
  expect(await passkeys(ana)).toEqual([passkey])
  expect((await rename(ana, ' Blue phone 🧶 ')).body).toEqual({ ...passkey, name: 'Blue phone 🧶' })
})

test('a passkey is removed by its owner, with the password or a passkey', async () => {
  const { ana, phone, passkey } = await regular(shop)
  const laptop = new Authenticator()
  const second = (await addPasskey(ana, laptop, 'Laptop')).body as Passkey
  const eve = await shop.signUp('eve')
  expectRefusal(await remove(eve, passkey.id), 404, 'There is no such passkey')
  expectRefusal(await remove(ana, passkey.id, { current_password: 'not-it' }), 400, WRONG)
  expectRefusal(await remove(ana, passkey.id, {}), 400, 'Current password is required')
  expect(await passkeys(ana)).toHaveLength(2)
  const signed = laptop.sign(await confirmation(ana))
  expect((await remove(ana, passkey.id, { passkey: signed })).body).toEqual({ message: 'Passkey removed' })
  expectRefusal(await logInWith(phone, shop.visitor()), 401, UNKNOWN)
  expect((await remove(ana, second.id)).status).toBe(200)
  expect(await passkeys(ana)).toEqual([])
  expect(await isIn(ana)).toBe(true)
})

test.each([
  [{ hasPassword: true, passkeys: 1 }, true],
  [{ hasPassword: true, passkeys: 0 }, true],
  [{ hasPassword: false, passkeys: 2 }, true],
  [{ hasPassword: false, passkeys: 1 }, false],
  [{ hasPassword: false, passkeys: 0 }, false],
])('with %j a passkey may be removed: %s', (ways, allowed) => {
  expect(mayRemovePasskey(ways)).toBe(allowed)
})

test('of an account without a password the last passkey stays, also in a race', async () => {
  const own = await openShop()
  try {
    const ana = await own.signUp('ana')
    const [phone, laptop] = [new Authenticator(), new Authenticator()]
    const ids = [(await addPasskey(ana, phone)).body.id, (await addPasskey(ana, laptop)).body.id] as number[]
    const proofs: object[] = []
    for (const each of [phone, laptop]) proofs.push(each.sign(await confirmation(ana)))
    // As a later version may allow.
    await own.rows('alter table users alter column password_hash drop not null')
    await own.rows(`update users set password_hash = null where id = ${ana.user.id}`)
    const responses = await Promise.all(ids.map((id, n) => remove(ana, id, { passkey: proofs[n] })))
    expect(countStatuses(responses)).toEqual({ 200: 1, 409: 1 })
    const [left] = await passkeys(ana)
    const holder = left?.id === ids[0] ? phone : laptop
    const again = await remove(ana, left!.id, { passkey: holder.sign(await confirmation(ana)) })
    expectRefusal(again, 409, LAST)
    expectRefusal(await remove(ana, left!.id, { current_password: ana.password }), 400, WRONG)
    expect(await passkeys(ana)).toEqual([expect.objectContaining({ id: left!.id })])
  } finally {
    await own.close()
  }
})

test('an account has at most twenty passkeys, also in a race', async () => {
  const { ana } = await regular(shop)
  await shop.rows(`insert into passkeys (user_id, credential_id, public_key, user_handle, backed_up, name)
    select ${ana.user.id}, 'filler-' || n || '-${ana.user.id}', '', '', false, 'Key' from generate_series(1, 18) as n`)
  const responses = await times(3, () => addPasskey(ana))
  expect(countStatuses(responses)).toEqual({ 201: 1, 409: 2 })
  expect(await passkeys(ana)).toHaveLength(20)
})

test('a password change leaves passkeys, and an ended session none of its challenges', async () => {
  const { ana, phone } = await regular(shop)
  const credential = new Authenticator().create((await begin(ana)).body)
  const thief = Object.assign(shop.visitor(), { cookie: ana.cookie, user: ana.user })
  await ana.post('/api/auth/password', { current_password: ana.password, new_password: 'secret-2' })
  expectRefusal(await thief.post('/api/auth/passkeys', { credential }, LOCAL), 401, 'Please log in')
  expect((await logInWith(phone, shop.visitor())).status).toBe(200)
})
