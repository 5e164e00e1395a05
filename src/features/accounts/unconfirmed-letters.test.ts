import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPasskey } from '../../../test/support/authenticator.ts'
import { soon } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let mail: MailServer
let shop: TestShop
beforeAll(async () => {
  mail = await openMailServer()
  shop = await openShop({ settings: { ...mail.settings, PUBLIC_URL: 'http://localhost:3000' } })
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
})
beforeEach(() => void mail.letters.splice(0))

/** Waits until all letters are sent. */
const settled = () =>
  expect
    .poll(async () => shop.rows('select kind, last_error from outbox where due_at is not null'), soon)
    .toEqual([])
const confirm = ({ user }: Person) =>
  shop.rows(`update users set email_confirmed_at = now() where id = ${user.id}`)

test('letters to an address that nobody has confirmed have no words of who opened the account', async () => {
  const password = 'secret-1'
  const names = { first_name: 'Cheap pills', last_name: 'at evil.example', username: 'eve' }
  const eve = Object.assign(shop.visitor(), { password })
  const signup = await eve.post('/api/auth/signup', { ...names, email: 'vera@example.com', password })
  expect(signup.status).toBe(201)
  expect((await addPasskey(eve, undefined, 'Cheap pills')).status).toBe(201)
  await settled()
  expect(mail.letters.map(({ subject }) => subject).toSorted()).toEqual([
    'A passkey was added to your account',
    'Welcome to Thrum',
  ])
  for (const { raw, text } of mail.letters) {
    expect(text).toMatch(/^Hello,\n/)
    expect(raw).toMatch(/^To: vera@example.com\r?$/m)
    expect(raw).not.toMatch(/pills|evil/)
  }
  await shop.rows(`update users set email_confirmed_at = now() where username = 'eve'`)
  await eve.post('/api/auth/password', { current_password: password, new_password: 'secret-2' })
  await settled()
  expect(mail.letters.at(-1)?.text).toMatch(/^Hello Cheap pills,\n/)
})

test('the letter to a new address has no name, also if the present address is confirmed', async () => {
  const ana = await shop.signUp('ana')
  await confirm(ana)
  await ana.post('/api/auth/email', { email: 'new@example.com', current_password: ana.password })
  await settled()
  const letterTo = (address: string) => mail.letters.find(({ recipients }) => recipients[0] === address)
  expect(letterTo('new@example.com')?.text).toMatch(/^Hello,\n/)
  expect(letterTo('new@example.com')?.raw).not.toContain(ana.user.first_name)
  expect(letterTo(ana.user.email)?.text).toMatch(`Hello ${ana.user.first_name},\n`)
})

test('a review is a notification alone until the address is confirmed', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  const review = async () => {
    const { id } = await shop.list(ana)
    await ben.post(`/api/reviews/${id}/create-review`, { review: 'Cheap pills', stars: 4 })
    await settled()
  }
  await review()
  expect(mail.letters).toEqual([])
  expect((await ana.get('/api/notifications/')).body.notifications).toHaveLength(1)
  await confirm(ana)
  await review()
  expect(mail.letters[0]?.text).toContain('Cheap pills')
})
