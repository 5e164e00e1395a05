import { afterAll, beforeAll, expect, test } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sell } from '../../../test/support/sold.ts'
import { reminderJob } from './reminders.ts'

let mail: MailServer
let shop: TestShop
let maker: Person
beforeAll(async () => {
  mail = await openMailServer()
  const settings = { ...mail.settings, PUBLIC_URL: 'https://shop.example' }
  shop = await openShop({ settings, confirmed: true })
  maker = await shop.signUp('maker')
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
})

const lettersTo = ({ user }: Person) =>
  mail.letters.filter(({ recipients }) => recipients.includes(user.email))
/** The text of the letter with this subject, once it has arrived. */
async function letterTo(person: Person, subject: string): Promise<string> {
  const find = () => lettersTo(person).find(letter => letter.subject === subject)
  await expect.poll(find, soon).toBeDefined()
  return find()?.text ?? ''
}
const notificationsOf = async (person: Person) =>
  (await person.get('/api/notifications/')).body.notifications.map(
    ({ text, path }: { text: string; path: string }) => [text, path],
  )

test('a shopper is told what was sent, with its number and the page of its carrier', async () => {
  const shopper = await shop.signUp('shopper')
  const { id, pieces } = await sell(shop, { maker, shopper, quantities: [3], by: 'post' })
  const lines = [{ id: pieces[0], quantity: 2 }]
  await maker.post(`/api/sales/${id}/parcels`, { lines, carrier: 'ups', tracking: '1Z 9' })
  const subject = `A parcel of your order ${id} is on its way`
  const text = await letterTo(shopper, subject)
  for (const part of [
    maker.user.username,
    'Speckled mug',
    '2 ×',
    'Its tracking number is 1Z 9.',
    'https://www.ups.com/track?tracknum=1Z%209',
    'It usually takes 2–4 days.',
    `https://shop.example/orders/${id}`,
  ])
    expect(text).toContain(part)
  expect(await notificationsOf(shopper)).toContainEqual([subject, `/orders/${id}`])
  const toMaker = lettersTo(maker).find(({ subject }) => subject?.includes(`order ${id}`))
  expect(toMaker?.text).toContain(`https://shop.example/sold/${id}`)
})

test('a shopper is told a tracking number that is added later, and only the one that is right', async () => {
  const shopper = await shop.signUp('shopper')
  const { id } = await sell(shop, { maker, shopper, by: 'post' })
  const { body } = await maker.post(`/api/sales/${id}/parcels`, {})
  await letterTo(shopper, `A parcel of your order ${id} is on its way`)
  mail.refuse = { at: 'DATA', status: 451, words: 'Come back later' }
  const path = `/api/sales/${id}/parcels/${body.parcels[0].id}/tracking`
  await maker.post(path, { carrier: 'ups', tracking: '1Z 8' })
  const rows = () =>
    shop.rows(
      `select last_error from outbox where recipient = ${shopper.user.id} and kind = 'tracking-added'`,
    )
  await expect.poll(async () => (await rows()).every(row => row.last_error !== null), soon).toBe(true)
  await maker.post(path, { carrier: 'ups', tracking: '1Z 9' })
  mail.refuse = undefined
  await shop.rows(`update outbox set due_at = now() where recipient = ${shopper.user.id}`)
  const subject = `The tracking number of a parcel of your order ${id}`
  const text = await letterTo(shopper, subject)
  for (const part of ['Speckled mug', '2 ×', 'The tracking number is 1Z 9, with ups.', 'tracknum=1Z%209'])
    expect(text).toContain(part)
  // The row of the letter that was sent is its notification.
  await expect.poll(async () => (await rows()).length, soon).toBe(1)
  expect(lettersTo(shopper).filter(letter => letter.subject === subject)).toHaveLength(1)
})

test('a shopper is told where and when to collect, but the letter does not have the code', async () => {
  const shopper = await shop.signUp('shopper')
  const { id } = await sell(shop, { maker: await shop.signUp('potter'), shopper })
  await shop.rows(`update orders set seller_id = ${maker.user.id}, pickup_place = 'The stall', pickup_hours = 'On Saturdays',
    pickup_code = '7391' where id = ${id}`)
  await maker.post(`/api/sales/${id}/ready`)
  const text = await letterTo(shopper, `Your order ${id} is ready to collect`)
  for (const part of ['The stall', 'On Saturdays', 'say the code that is on the page of your order'])
    expect(text).toContain(part)
  expect(text).not.toContain('7391')
})

test('a shopper is told what was cancelled and why, and of a refund', async () => {
  const shopper = await shop.signUp('shopper')
  const { id } = await sell(shop, { maker, shopper, quantities: [2] })
  await maker.post(`/api/sales/${id}/payments`, { amount: 49, day: '2026-01-02' })
  await maker.post(`/api/sales/${id}/cancel`, { reason: 'They cracked in the kiln.' })
  await maker.post(`/api/sales/${id}/refunds`, { amount: 49, day: '2026-01-02', note: 'By transfer' })
  const cancelled = await letterTo(shopper, `${maker.user.username} has cancelled pieces of your order ${id}`)
  for (const part of ['Speckled mug', 'They cracked in the kiln.']) expect(cancelled).toContain(part)
  const refunded = await letterTo(shopper, `A refund for your order ${id}`)
  for (const part of ['$49.00', 'By transfer']) expect(refunded).toContain(part)
  // A payment needs none.
  expect(lettersTo(shopper).filter(({ subject }) => /payment/i.test(subject ?? ''))).toEqual([])
})

test('what was undone before its letter was sent leaves nothing to say', async () => {
  const shopper = await shop.signUp('shopper')
  const { id } = await sell(shop, { maker, shopper, by: 'post' })
  mail.refuse = { at: 'DATA', status: 451, words: 'Come back later' }
  const { body } = await maker.post(`/api/sales/${id}/parcels`, {})
  await maker.post(`/api/sales/${id}/events/${body.parcels[0].id}/undo`)
  const rows = () =>
    shop.rows(`select last_error from outbox where recipient = ${shopper.user.id} and kind = 'parcel-sent'`)
  // Refused, or found to be undone.
  await expect.poll(async () => (await rows()).every(row => row.last_error !== null), soon).toBe(true)
  mail.refuse = undefined
  await shop.rows(`update outbox set due_at = now() where recipient = ${shopper.user.id}`)
  await maker.post(`/api/sales/${id}/payments`, { amount: 1, day: '2026-01-02' })
  await maker.post(`/api/sales/${id}/refunds`, { amount: 1, day: '2026-01-02' })
  await letterTo(shopper, `A refund for your order ${id}`)
  await expect.poll(rows, soon).toEqual([])
  expect(lettersTo(shopper).map(({ subject }) => subject)).not.toContain(
    `A parcel of your order ${id} is on its way`,
  )
})

test('a maker gets one reminder for an order that is late, and none once it is sent or ready', async () => {
  const potter = await shop.signUp('potter')
  const shopper = await shop.signUp('shopper')
  const sold = async (days: number, by?: 'post') => {
    const { id } = await sell(shop, { maker: potter, shopper, ...(by ? { by } : {}) })
    await shop.rows(`update orders set ready_by = now() + interval '${days} days' where id = ${id}`)
    return id
  }
  const ready = await sold(-1)
  await potter.post(`/api/sales/${ready}/ready`)
  const [late, sent] = [await sold(-1, 'post'), await sold(-1, 'post')]
  // Until the day is over, and after two weeks, there is none.
  await sold(0, 'post')
  await sold(-30, 'post')
  await potter.post(`/api/sales/${sent}/parcels`, {})
  for (let round = 0; round < 3; round++) await reminderJob(shop.db).run(AbortSignal.timeout(10_000))
  const reminded = await shop.rows(
    `select subject from outbox where kind = 'send-reminder' and recipient = ${potter.user.id}`,
  )
  expect(reminded).toEqual([{ subject: late }])
  const text = await letterTo(potter, `Order ${late} is late`)
  expect(text).toContain(`https://shop.example/sold/${late}`)
})
