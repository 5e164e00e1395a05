import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MailServer, openMailServer } from '../mail-server.ts'
import type { Person } from '../person.ts'
import type { Faults, Target } from '../scenario.ts'

/** Letters that a process sends at a time, by each of its runs: as many may be cut off together. */
export const SENT_TOGETHER = 3

/** How long a shop may be busy, ms. */
const BUSY_MS = 30_000

/** Runs work with an SMTP server on this machine, and stops it. */
export async function withMailServer<T>(work: (mail: MailServer) => Promise<T>): Promise<T> {
  const mail = await openMailServer()
  try {
    return await work(mail)
  } finally {
    await mail.stop()
  }
}

/**
 * Orders one unit of a listing, again with the same key while the shop is busy.
 * @returns the id of the order, and how long the last checkout took, ms
 */
export async function buy(buyer: Person, listing: number): Promise<{ id: number; took: number }> {
  const key = { 'idempotency-key': randomUUID() }
  const until = performance.now() + BUSY_MS
  let added: number | undefined
  for (;;) {
    // Once: while the shop is busy, the unit of the attempt before is still in the cart.
    if (added !== 201) added = (await buyer.post(`/api/cart_items/add/${listing}`, { quantity: 1 })).status
    const began = performance.now()
    const { status, body } = await buyer.post('/api/orders/checkout', undefined, key)
    if (status === 201) return { id: body.id, took: performance.now() - began }
    if (status !== 503 || began > until)
      throw new Error(`no order: ${added}, ${status}, ${JSON.stringify(body)}`)
    await sleep(500)
  }
}

/** Waits until no letter waits any more. @throws Error with the reasons in the rows after `timeoutMs` */
export async function allSent(shop: Pick<Target, 'rows'>, timeoutMs: number): Promise<void> {
  const began = performance.now()
  for (;;) {
    const waiting = await shop.rows(
      `select kind, tries, due_at, last_error from outbox where sent_at is null order by due_at`,
    )
    if (waiting.length === 0) return
    if (performance.now() - began > timeoutMs)
      throw new Error(`${waiting.length} letters still wait: ${JSON.stringify(waiting.slice(0, 3))}`)
    await sleep(250)
  }
}

/** The letters of all orders and accounts, as rows of the outbox. */
const EXPECTED = `
  select 'welcome' as kind, id as subject, id as recipient from users where username is not null
  union all select 'order-received', id, user_id from orders
  union all select distinct 'sold', l.order_id, p.seller_id
    from order_lines l join products p on p.id = l.product_id`

/** What has arrived. */
interface Counted {
  /** Different letters. */
  letters: number
  /** Copies beyond the first, with the same Message-ID. */
  copies: number
}

/**
 * Checks that each account, order and sale has exactly one letter, and that it has arrived, at its recipient: by Message-ID,
 * so that copies of one letter are counted apart.
 */
export async function checkLetters(
  shop: Pick<Target, 'rows'>,
  { letters }: Pick<MailServer, 'letters'>,
  faults: Faults,
): Promise<Counted> {
  const missing = await shop.rows(`${EXPECTED} except select kind, subject, recipient from outbox`)
  faults.expect(missing.length === 0, `no letter was written: ${JSON.stringify(missing[0])}`)
  const rows = await shop.rows(
    `select o.id, o.kind, o.subject, u.email from outbox o join users u on u.id = o.recipient`,
  )
  const byId = Map.groupBy(letters, ({ messageId }) => messageId ?? '')
  for (const { id, kind, subject, email } of rows) {
    const arrived = byId.get(`<${id}@shop.example>`) ?? []
    faults.expect(arrived.length > 0, `${kind} ${subject} has not arrived`)
    faults.expect(
      arrived.every(({ recipients }) => recipients.length === 1 && recipients[0] === email),
      `${kind} ${subject} went to ${JSON.stringify(arrived.map(({ recipients }) => recipients))}`,
    )
  }
  const known = new Set(rows.map(({ id }) => `<${id}@shop.example>`))
  const unknown = letters.find(({ messageId }) => !known.has(messageId ?? ''))
  faults.expect(unknown === undefined, `unknown letter ${unknown?.subject}`)
  // Subjects name the order, so a subject to a person is a fact.
  for (const [fact, same] of Map.groupBy(letters, letter => `${letter.subject} to ${letter.recipients}`)) {
    const ids = new Set(same.map(({ messageId }) => messageId))
    faults.expect(ids.size === 1, `${fact} came with ${ids.size} Message-IDs`)
  }
  return { letters: byId.size, copies: letters.length - byId.size }
}
