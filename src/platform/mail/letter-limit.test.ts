import { expect, onTestFinished, test } from 'vitest'
import { soon, times } from '../../../test/support/expect.ts'
import { openMailServer } from '../../../test/support/mail-server.ts'
import { wholeWindow } from '../../../test/support/scenario.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { requestJobRun } from '../jobs/job-events.ts'
import { LETTERS } from './outbox.ts'

const LIMIT = 3

async function openLimited() {
  await wholeWindow('letters', 20_000)
  const mail = await openMailServer()
  const shop = await openShop({
    settings: {
      ...mail.settings,
      LIMITS: 'on',
      LIMIT_LETTERS: String(LIMIT),
      LIMIT_UNCONFIRMED_LETTERS: String(LIMIT),
    },
    confirmed: true,
  })
  onTestFinished(async () => {
    await shop.close()
    await mail.stop()
  })
  return { mail, shop }
}

test('a bomb of reviews is limited for its address: what exceeds waits, and arrives in the next hour', async () => {
  const { mail, shop } = await openLimited()
  const seller = await shop.signUp('seller')
  const { id } = await shop.list(seller)
  const attackers = await times(LIMIT + 4, () => shop.signUp('attacker'))
  const review = (attacker: Person | undefined, listing: number) =>
    attacker?.post(`/api/reviews/${listing}/create-review`, { review: 'Buy now', stars: 1 })
  const sent = async () => (await shop.rows('select count(sent_at)::int as sent from outbox'))[0].sent
  for (const attacker of attackers.slice(0, LIMIT)) await review(attacker, id)
  await expect.poll(sent, soon).toBe(LIMIT)
  for (const attacker of attackers.slice(LIMIT)) expect((await review(attacker, id))?.status).toBe(201)
  const waiting = () =>
    shop.rows(
      `select tries, extract(epoch from due_at - now())::int as wait, last_error from outbox where due_at is not null`,
    )
  const told = async () => (await waiting()).filter(({ last_error }) => last_error).length
  await expect.poll(told, soon).toBe(4)
  expect(mail.letters).toHaveLength(LIMIT)
  for (const letter of await waiting()) {
    expect(letter).toMatchObject({ tries: 0, last_error: 'Too many letters to this address' })
    expect(letter.wait).toBeGreaterThan(10 * 60)
  }
  // Others get theirs.
  const other = await shop.signUp('other')
  const { id: mug } = await shop.list(other)
  await review(attackers[0], mug)
  await expect.poll(sent, soon).toBe(LIMIT + 1)
  expect(mail.letters.at(-1)?.recipients).toEqual([other.user.email])
  // An hour later, as many again.
  await shop.rows(`delete from rate_limits where subject like 'letters:%'`)
  await shop.rows('update outbox set due_at = now() where due_at is not null')
  requestJobRun(LETTERS)
  await expect.poll(sent, soon).toBe(2 * LIMIT + 1)
  expect(mail.letters).toHaveLength(2 * LIMIT + 1)
})

test('letters about the security of an account arrive during a flood of others', async () => {
  const { mail, shop } = await openLimited()
  const [seller, attacker] = [await shop.signUp('seller'), await shop.signUp('attacker')]
  for (let n = 0; n < LIMIT + 1; n++) {
    const { id } = await shop.list(seller)
    await attacker.post(`/api/reviews/${id}/create-review`, { review: 'Buy now', stars: 1 })
  }
  await settled(shop)
  const change = { current_password: seller.password, new_password: 'secret-2' }
  expect((await seller.post('/api/auth/password', change)).status).toBe(200)
  await shop.visitor().post('/api/auth/forgotten-password', { email: seller.user.email })
  await settled(shop)
  const subjects = mail.letters.map(({ subject }) => subject)
  expect(subjects).toHaveLength(LIMIT + 2)
  expect(subjects).toEqual(expect.arrayContaining(['Your password was changed', 'Set a new password']))
})

/** Waits until what is to be sent is sent, and the rest is limited. */
const settled = (shop: TestShop) =>
  expect
    .poll(() => shop.rows('select id from outbox where due_at is not null and last_error is null'), soon)
    .toEqual([])

test('accounts that are opened with one address and deleted again send it no more letters than one would', async () => {
  const { mail, shop } = await openLimited()
  const victim = { first_name: 'Vera', last_name: 'Victim', password: 'secret-1' }
  for (let n = 0; n < LIMIT + 2; n++) {
    const attacker = shop.visitor()
    const email = n % 2 === 0 ? 'vera@example.com' : 'VERA@example.com'
    const { status } = await attacker.post('/api/auth/signup', { ...victim, email, username: `vera-${n}` })
    // Nobody is kept from signing up by it.
    expect(status).toBe(201)
    await settled(shop)
    const left = await attacker.post('/api/account/deletion', {
      current_password: victim.password,
      reviews: 'remove',
    })
    expect(left.status).toBe(200)
  }
  expect(mail.letters).toHaveLength(LIMIT)
})

test('many accounts that are to get one address send it no more letters than one would', async () => {
  const { mail, shop } = await openLimited()
  for (const attacker of await times(LIMIT + 2, () => shop.signUp('attacker'))) {
    const change = { email: 'vera@example.com', current_password: attacker.password }
    expect((await attacker.post('/api/auth/email', change)).status).toBe(200)
  }
  await settled(shop)
  expect(mail.letters.filter(({ recipients }) => recipients[0] === 'vera@example.com')).toHaveLength(LIMIT)
  // A letter that waits has made no token.
  const tokens = await shop.rows('select token_hashes from email_links where expires_at is not null')
  expect(tokens).toHaveLength(LIMIT)
})
