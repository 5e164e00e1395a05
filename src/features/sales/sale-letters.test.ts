import { afterAll, beforeAll, expect, test } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { type MailServer, openMailServer } from '../../../test/support/mail-server.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sendWaiting } from '../../../test/support/shop-with-mail.ts'
import { sell } from '../../../test/support/sold.ts'
import { saleLetters } from './letters.ts'
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
  const { body } = await maker.post(`/api/sales/${id}/parcels`, { lines })
  const subject = `A parcel of your order ${id} is on its way`
  // A number that is added before its letter is sent stands in it.
  await maker.post(`/api/sales/${id}/parcels/${body.parcels[0].id}/tracking`, {
    carrier: 'ups',
    tracking: '1Z 9',
  })
  await sendWaiting(shop)
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
  expect(lettersTo(shopper).filter(({ subject }) => subject?.startsWith('The tracking number'))).toEqual([])
  const toMaker = lettersTo(maker).find(({ subject }) => subject?.includes(`order ${id}`))
  expect(toMaker?.text).toContain(`https://shop.example/sold/${id}`)
})

test('a shopper is told a tracking number that is added later, and only the one that is right', async () => {
  const shopper = await shop.signUp('shopper')
  const { id } = await sell(shop, { maker, shopper, by: 'post' })
  const { body } = await maker.post(`/api/sales/${id}/parcels`, {})
  await sendWaiting(shop)
  await letterTo(shopper, `A parcel of your order ${id} is on its way`)
  await shop.rows(`alter table order_events disable trigger user;
    update order_events set created_at = created_at - interval '15 minutes' where order_id = ${id};
    alter table order_events enable trigger user`)
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
  await sendWaiting(shop)
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
  await sendWaiting(shop)
  const refunded = await letterTo(shopper, `A refund for your order ${id}`)
  for (const part of ['$49.00', 'By transfer']) expect(refunded).toContain(part)
  // A payment needs none.
  expect(lettersTo(shopper).filter(({ subject }) => /payment/i.test(subject ?? ''))).toEqual([])
})

test('letters about what can be undone wait until it cannot, and leave nothing to say of what was', async () => {
  const shopper = await shop.signUp('shopper')
  const { id } = await sell(shop, { maker, shopper, by: 'post' })
  const { body } = await maker.post(`/api/sales/${id}/parcels`, {})
  await maker.post(`/api/sales/${id}/payments`, { amount: 1, day: '2026-01-02' })
  await maker.post(`/api/sales/${id}/refunds`, { amount: 1, day: '2026-01-02' })
  const waiting = () =>
    shop.rows(`select kind, round(extract(epoch from due_at - created_at) / 60) as minutes from outbox
      where recipient = ${shopper.user.id} and sent_at is null order by kind`)
  await letterTo(shopper, `Your order ${id}`)
  // A letter arrives before its row says so.
  await expect.poll(waiting, soon).toEqual([
    { kind: 'parcel-sent', minutes: '15' },
    { kind: 'refund-recorded', minutes: '15' },
  ])
  await maker.post(`/api/sales/${id}/events/${body.parcels[0].id}/undo`)
  await sendWaiting(shop)
  await letterTo(shopper, `A refund for your order ${id}`)
  await expect.poll(waiting, soon).toEqual([])
  expect(lettersTo(shopper).map(({ subject }) => subject)).not.toContain(
    `A parcel of your order ${id} is on its way`,
  )
})

test('who has collected an order is not told any more that it is ready', async () => {
  const shopper = await shop.signUp('shopper')
  const { id } = await sell(shop, { maker: await shop.signUp('potter'), shopper })
  await shop.rows(`update orders set seller_id = ${maker.user.id} where id = ${id}`)
  await maker.post(`/api/sales/${id}/ready`)
  const [{ pickup_code: code }] = await shop.rows(`select pickup_code from orders where id = ${id}`)
  expect((await maker.post(`/api/sales/${id}/collected`, { code })).body.state).toBe('collected')
  await sendWaiting(shop)
  const waiting = () =>
    shop.rows(`select id from outbox where recipient = ${shopper.user.id} and kind = 'order-ready'`)
  await expect.poll(waiting, soon).toEqual([])
  expect(lettersTo(shopper).filter(({ subject }) => subject?.includes('ready'))).toEqual([])
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

test('a number that is saved again stays news, and that of a parcel that was received is none', async () => {
  const shopper = await shop.signUp('shopper')
  const { id } = await sell(shop, { maker, shopper, by: 'post' })
  const { body } = await maker.post(`/api/sales/${id}/parcels`, { carrier: 'ups' })
  const parcel = body.parcels[0].id
  const track = (number: object) => maker.post(`/api/sales/${id}/parcels/${parcel}/tracking`, number)
  expect((await track({ tracking: '1Z 8' })).status).toBe(200)
  expect((await track({ carrier: 'ups', tracking: '1Z 8' })).status).toBe(200)
  const [{ subject }] = await shop.rows(
    `select min(id) as subject from order_events where order_id = ${id} and kind = 'tracked'`,
  )
  const letter = () =>
    saleLetters['tracking-added']!.write(shop.db, { subject, recipient: shopper.user.id }, 'Thrum')
  expect(await letter()).toBeDefined()
  expect((await shopper.post(`/api/orders/${id}/received`, { parcel })).status).toBe(200)
  expect(await letter()).toBeUndefined()
})
