import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { urlencoded } from '../../../test/support/form-posts.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { sell } from '../../../test/support/sold.ts'

let shop: TestShop
let maker: Person
let order: number
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(async () => {
  maker = await shop.signUp('maker')
  order = (await sell(shop, { maker, shopper: await shop.signUp('shopper'), by: 'post' })).id
})
afterAll(() => shop.close())

/** The key of the forms of a page. */
async function keyOf(path: string): Promise<string> {
  const { body } = await maker.get(path, { accept: 'text/html' })
  return /name="key" value="([^"]+)"/.exec(body)?.[1] ?? ''
}
/** Loads a page, and sends one of its forms. */
async function sendForm(path: string, fields: Record<string, string>): Promise<void> {
  const key = await keyOf(path)
  expect(key).not.toBe('')
  expect((await urlencoded(maker, path, { key, ...fields })).status).toBe(303)
}
const sale = async () => (await maker.get(`/api/sales/${order}`)).body
const undo = (id: number) => maker.post(`/api/sales/${order}/events/${id}/undo`)

test('what was taken back can be done again, by the form of another load', async () => {
  const page = `/sold/${order}`
  const payment = { intent: 'paid', amount: '5', day: '2026-01-02', note: '' }
  for (let round = 0; round < 3; round++) {
    await sendForm(page, payment)
    const [entry] = (await sale()).payment.entries
    expect(entry).toMatchObject({ amount: 5 })
    await undo(entry.id)
    await sendForm('/sold', { order: String(order), intent: 'sent' })
    const { state, parcels } = await sale()
    expect(state).toBe('sent')
    await undo(parcels[0].id)
  }
})

test('what was taken back is not done by the form of before, which says so', async () => {
  const key = await keyOf('/sold')
  const send = () => urlencoded(maker, '/sold', { key, order: String(order), intent: 'sent' })
  expect((await send()).status).toBe(303)
  await undo((await sale()).parcels[0].id)
  const { status, body } = await send()
  expect(status).toBe(409)
  expect(body).toContain('What this form did was taken back')
  expect((await sale()).state).toBe('open')
})

test('a second tab sends other pieces than the first: it is told, and can do it again', async () => {
  const { lines } = await sale()
  const fields = (quantity: number) => ({
    intent: 'sent',
    carrier: '',
    tracking: '',
    [`units-${lines[0].id}`]: String(quantity),
  })
  const key = await keyOf(`/sold/${order}`)
  const post = (quantity: number) => urlencoded(maker, `/sold/${order}`, { key, ...fields(quantity) })
  expect((await post(1)).status).toBe(303)
  expect((await post(1)).status).toBe(303)
  const other = await post(2)
  expect(other.status).toBe(422)
  expect(other.body).toContain('This form was sent before, for something else')
  expect((await sale()).lines).toMatchObject([{ sent: 1, open: 1 }])
})
