import type pg from 'pg'

/** SQLSTATE of the notice that a trigger raises in its own session after a change: migrations/0037_notify_after_commit.sql. */
const CHANGE = 'TH001'

/** Makes the triggers raise a notice to this session instead of sending NOTIFY. */
export async function enableNotices(client: pg.ClientBase): Promise<void> {
  await client.query('set shop.publishes = on; set client_min_messages = notice')
}

/** @param onChange is called after the end of each transaction of a pool that has changed something public */
export function watchChanges(pool: pg.Pool, onChange: () => void): void {
  const changed = new WeakSet<pg.PoolClient>()
  pool.on('connect', client => {
    client.on('notice', ({ code }) => {
      if (code === CHANGE) changed.add(client)
    })
  })
  // A connection that goes back to the pool is in no transaction.
  pool.on('release', (_error, client) => {
    if (changed.delete(client)) onChange()
  })
}
