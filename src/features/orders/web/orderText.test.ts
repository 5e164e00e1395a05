import { expect, test } from 'vitest'
import type { DeliveryState, OrderDetail } from '../detail-contract.ts'
import { nextWords, stepsOf } from './orderText.ts'

const pickup = { place: 'The market', hours: '' }
const parcel = (kind: 'sent' | 'collected') => ({ kind }) as OrderDetail['parcels'][number]
/** The steps with a mark: '•' done, '>' current. */
const drawn = (state: DeliveryState, order: Partial<OrderDetail> = {}) =>
  stepsOf({ state, pickup: null, parcels: [], ...order })
    .map(({ name, status }) => `${{ done: '•', current: '>', ahead: ' ' }[status]}${name}`)
    .join(' ')

test.each<[DeliveryState, Partial<OrderDetail>, string]>([
  ['open', {}, '•Ordered >Being prepared  Sent  Received'],
  ['part-sent', { parcels: [parcel('sent')] }, '•Ordered •Being prepared >Part sent  Received'],
  ['sent', { parcels: [parcel('sent')] }, '•Ordered •Being prepared >Sent  Received'],
  ['received', { parcels: [parcel('sent')] }, '•Ordered •Being prepared •Sent •Received'],
  ['open', { pickup }, '•Ordered >Being prepared  Ready to collect  Collected'],
  ['ready', { pickup }, '•Ordered •Being prepared >Ready to collect  Collected'],
  [
    'collected',
    { pickup, parcels: [parcel('collected')] },
    '•Ordered •Being prepared •Ready to collect •Collected',
  ],
  ['part-sent', { pickup, parcels: [parcel('sent')] }, '•Ordered •Being prepared >Part sent  Received'],
  [
    'received',
    { pickup, parcels: [parcel('sent'), parcel('collected')] },
    '•Ordered •Being prepared •Sent •Received',
  ],
  ['cancelled', {}, ''],
])('the steps of an order: %s %j', (state, order, steps) => {
  expect(drawn(state, order)).toBe(steps)
})

test('an order that is late says for when it was promised', () => {
  const days = { ready_by: '2026-03-07T10:00:00.000Z', ready_at: null, days_min: 2, days_max: 4 }
  const words = (late: boolean) => nextWords({ state: 'open', pickup: null, parcels: [], ...days, late })
  expect([words(false), words(true)]).toEqual([
    'Ready to send by March 7, 2026',
    'Was promised for March 7, 2026',
  ])
})
