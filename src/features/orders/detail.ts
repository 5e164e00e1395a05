import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import { fromCents } from '#money'
import type { Database } from '#platform/database/database.ts'
import { makerName } from '#products/maker-name.ts'
import type { Answer } from '#products/questions-contract.ts'
import type { OrderDetail } from './detail-contract.ts'
import { isGone, linePicture } from './line-picture.ts'
import {
  type Event,
  type Line,
  parcelsOf,
  paymentOf,
  readyUndo,
  stateOf,
  withoutUndone,
} from './order-state.ts'

interface Row {
  id: Id
  purchase_id: Id | null
  created_at: Date
  user_id: Id
  seller_id: Id | null
  maker: string | null
  maker_name: string
  maker_suspended: boolean
  postage_cents: number
  postage_name: string
  total_cents: number
  days_min: number | null
  days_max: number | null
  ready_by: Date | null
  pickup_place: string | null
  pickup_hours: string | null
  pickup_code: string | null
  note: string
  address: OrderDetail['address']
  lines: Line[]
  events: Event[]
}

/** An order with ids of its shopper and its maker, who must not read everything. */
export interface Detail {
  order: OrderDetail
  shopper_id: Id
  seller_id: Id | null
  /** Id of the last event, 0 without one: another one after each change. */
  revision: Id
}

/** Orders with everything that happened to them, newest first. @param where SQL about `o`, a row of orders */
export async function details(db: Database, where: RawBuilder<unknown>, limit = 100): Promise<Detail[]> {
  const { rows } = await sql<Row>`
    select o.*, u.username as maker, ${makerName} as maker_name,
      u.suspended_at is not null as maker_suspended, a.address, l.lines, coalesce(e.events, '[]') as events
    from (select * from orders as o where ${where} order by o.created_at desc, o.id desc limit ${limit}) as o
    left join users as u on u.id = o.seller_id and u.erased_at is null
    left join shops as m on m.user_id = u.id
    left join lateral (
      select to_jsonb(a) - 'order_id' as address from order_addresses as a where a.order_id = o.id
    ) as a on true
    cross join lateral (
      select json_agg(json_build_object('id', product_id, 'line', line, 'name', name, 'answers', answers,
        'price_cents', price_cents, 'quantity', quantity, 'sent', sent, 'cancelled', cancelled, 'image_url', ${linePicture}, 'gone', ${isGone})
        order by product_id, line) as lines
      from order_lines as l where order_id = o.id
    ) as l
    cross join lateral (
      select json_agg(json_build_object('id', e.id, 'kind', e.kind, 'about', e.about, 'role', e.role, 'reason', e.reason,
        'carrier', e.carrier, 'tracking', e.tracking, 'cents', e.cents, 'happened_on', e.happened_on,
        'created_at', e.created_at, 'units', u.units) order by e.id) as events
      from order_events as e cross join lateral (
        select coalesce(json_agg(json_build_object('id', product_id, 'line', line, 'quantity', units)
          order by product_id, line), '[]') as units
        from order_event_units where event_id = e.id
      ) as u
      where e.order_id = o.id
    ) as e
    order by o.created_at desc, o.id desc
  `.execute(db)
  const now = Date.now()
  return rows.map(row => ({
    order: detailOf(row, now),
    shopper_id: row.user_id,
    seller_id: row.seller_id,
    revision: row.events.at(-1)?.id ?? 0,
  }))
}

const answered = (answers: Answer[]) => (answers.length > 0 ? { answers } : {})

/** The day in UTC, '2026-03-31'. @param moment milliseconds since 1970 */
export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, '2026-03-31'.length)

/** The order as both sides see it. @param now milliseconds since 1970 */
function detailOf(row: Row, now: number): OrderDetail {
  const lines = row.lines ?? []
  const events = withoutUndone(row.events)
  const named = (units: Event['units']) =>
    units.map(({ id, line, quantity }) => {
      const { name = '', answers = [] } = lines.find(other => other.id === id && other.line === line) ?? {}
      return { id, line, name, ...answered(answers), quantity }
    })
  const parcels = parcelsOf(events, named, { now, days_max: row.days_max })
  const ready = events.findLast(({ kind }) => kind === 'ready')
  const iso = (moment: string | undefined) => (moment === undefined ? null : new Date(moment).toISOString())
  const state = stateOf(lines, parcels, {
    isPickup: row.pickup_place !== null,
    isReady: ready !== undefined,
  })
  const isWaiting = state === 'open' || state === 'part-sent'
  return {
    id: row.id,
    purchase_id: row.purchase_id ?? row.id,
    created_at: row.created_at.toISOString(),
    state,
    maker:
      row.seller_id !== null && row.maker !== null
        ? { id: row.seller_id, username: row.maker, name: row.maker_name, suspended: row.maker_suspended }
        : null,
    lines: lines.map(({ price_cents, answers, image_url, gone, ...line }) => ({
      ...line,
      ...answered(answers),
      ...(image_url === null ? {} : { image_url }),
      ...(gone ? { gone } : {}),
      price: fromCents(price_cents),
      open: line.quantity - line.sent - line.cancelled,
    })),
    postage: fromCents(row.postage_cents),
    postage_name: row.postage_name,
    total: fromCents(row.total_cents),
    days_min: row.days_min,
    days_max: row.days_max,
    ready_by: row.ready_by?.toISOString() ?? null,
    late: isWaiting && row.ready_by !== null && dayOf(row.ready_by.getTime()) < dayOf(now),
    address: row.address,
    pickup:
      row.pickup_place === null
        ? null
        : {
            place: row.pickup_place,
            hours: row.pickup_hours ?? '',
            ...(row.pickup_code === null ? {} : { code: row.pickup_code }),
          },
    note: row.note,
    ready_at: iso(ready?.created_at),
    ready_undo: readyUndo(ready, state, now),
    parcels,
    cancellations: events
      .filter(({ kind }) => kind === 'cancelled')
      .map(({ created_at, role, reason, units }) => ({
        at: iso(created_at) ?? '',
        role,
        reason,
        lines: named(units),
      })),
    payment: paymentOf(row.postage_cents, lines, events, now),
  }
}
