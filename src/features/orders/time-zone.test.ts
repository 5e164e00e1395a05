import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { openShop } from '../../../test/support/shop.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** A zone whose clocks change tomorrow, and back after a hundred days: days of the year, as POSIX counts them. */
function changingZone(): string {
  const year = new Date().getUTCFullYear()
  const today = Math.floor((Date.now() - Date.UTC(year, 0, 1)) / DAY_MS) + 1
  const dayIn = (days: number) => ((today + days - 1) % 365) + 1
  return `AAA0BBB,J${dayIn(1)}/0,J${dayIn(100)}/0`
}

test('the promised day does not depend on the time zone of the database', async () => {
  const shop = await openShop()
  onTestFinished(() => shop.close())
  const client = new pg.Client(shop.connection)
  await client.connect()
  await client.query(
    `alter database ${client.escapeIdentifier(shop.database)} set timezone to '${changingZone()}'`,
  )
  // Those of the shop are opened again, once it has noticed.
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await client.end()
  const mila = await vi.waitFor(() => shop.signUp('mila'), soon)
  const { id } = await shop.list(mila, { handling_days: 5 })
  const ben = await shop.signUp('ben')
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  expect((await ben.post('/api/orders/checkout')).status).toBe(201)
  expect(
    await shop.rows(`select extract(epoch from ready_by - created_at)::int / 3600 as hours from orders`),
  ).toEqual([{ hours: 5 * 24 }])
})
