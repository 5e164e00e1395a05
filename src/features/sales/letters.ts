import { sql } from 'kysely'
import { recipientOf } from '#accounts/recipient.ts'
import type { Id } from '#contract'
import type { Letter } from '#letter'
import { dollars, fromCents } from '#money'
import { trackingUrl } from '#orders/carriers-contract.ts'
import { answerRows } from '#orders/letters.ts'
import { batchLookups } from '#platform/database/batch.ts'
import type { LetterKind, LetterKinds } from '#platform/mail/delivery.ts'
import { daysText } from '#postage/postage-text.ts'
import { makerName } from '#products/maker-name.ts'
import type { Answer } from '#products/questions-contract.ts'
import { lastSaid } from './fulfil.ts'

/** What a maker did to an order, as its letter shows it. */
interface Happened {
  order_id: Id
  maker: string
  reason: string
  carrier: string | null
  tracking: string | null
  cents: number | null
  place: string | null
  hours: string | null
  days_min: number | null
  days_max: number | null
  pieces: { name: string; answers: Answer[]; units: number }[]
}

const rowsOf = ({ pieces }: Happened): { rows: [string, string][] } => ({
  rows: pieces.flatMap(({ name, answers, units }): [string, string][] => [
    [name, `${units} ×`],
    ...answerRows(answers),
  ]),
})
const toOrder = ({ order_id }: Happened) => ({ link: 'See your order', path: `/orders/${order_id}` })

type Write = (name: string, about: Happened) => Letter

const sent: Write = (name, about) => {
  const { order_id, maker, carrier, tracking, days_min, days_max } = about
  const url = trackingUrl(carrier, tracking)
  const by = [
    ...(carrier ? [`With ${carrier}.`] : []),
    ...(tracking ? [`Its tracking number is ${tracking}.`] : []),
  ]
  return {
    subject: `A parcel of your order ${order_id} is on its way`,
    name,
    parts: [
      { text: `${maker} has sent these pieces:` },
      rowsOf(about),
      ...(by.length > 0 ? [{ text: by.join(' ') }] : []),
      ...(url ? [{ text: `Follow it at ${url}` }] : []),
      ...(days_max === null
        ? []
        : [{ text: `It usually takes ${daysText(days_min ?? days_max, days_max)}.` }]),
      toOrder(about),
    ],
    why: 'an order of yours was sent',
  }
}

const tracked: Write = (name, about) => {
  const { order_id, maker, carrier, tracking } = about
  const url = trackingUrl(carrier, tracking)
  return {
    subject: `The tracking number of a parcel of your order ${order_id}`,
    name,
    parts: [
      { text: `${maker} has added the tracking number of the parcel with these pieces:` },
      rowsOf(about),
      { text: `The tracking number is ${tracking ?? ''}${carrier ? `, with ${carrier}` : ''}.` },
      ...(url ? [{ text: `Follow it at ${url}` }] : []),
      toOrder(about),
    ],
    why: 'a parcel of yours got a tracking number',
  }
}

const ready: Write = (name, about) => ({
  subject: `Your order ${about.order_id} is ready to collect`,
  name,
  parts: [
    { text: `${about.maker} has your pieces ready.` },
    {
      rows: [
        ['Where', about.place ?? ''],
        ...(about.hours ? [['When', about.hours] satisfies [string, string]] : []),
      ],
    },
    { text: 'When you collect it, say the code that is on the page of your order.' },
    toOrder(about),
  ],
  why: 'an order of yours can be collected',
})

const cancelled: Write = (name, about) => ({
  subject: `${about.maker} has cancelled pieces of your order ${about.order_id}`,
  name,
  parts: [
    { text: `${about.maker} cannot send these pieces:` },
    rowsOf(about),
    ...(about.reason ? [{ text: 'They say why:' }, { quote: about.reason }] : []),
    { text: 'If you have paid for them already, the maker gives the money back.' },
    toOrder(about),
  ],
  why: 'pieces that you have ordered were cancelled',
})

const refunded: Write = (name, about) => ({
  subject: `A refund for your order ${about.order_id}`,
  name,
  parts: [
    { text: `${about.maker} says that they have given money back to you.` },
    { rows: [['Refund', dollars(fromCents(about.cents ?? 0))]] },
    ...(about.reason ? [{ quote: about.reason }] : []),
    toOrder(about),
  ],
  why: 'a maker has recorded a refund to you',
})

/** SQL: the id of what the event `e` is about. */
const parcel = sql`case e.kind when 'tracked' then e.about else e.id end`

const findEvents = batchLookups(async (db, ids) => {
  const { rows } = await sql<Happened & { id: Id }>`
    select e.id, e.order_id, coalesce(${makerName}, 'The maker') as maker, e.reason, e.cents,
      nullif(coalesce(${lastSaid('carrier', parcel)}, (select carrier from order_events where id = ${parcel})), '') as carrier,
      coalesce(${lastSaid('tracking', parcel)}, e.tracking) as tracking,
      o.pickup_place as place, o.pickup_hours as hours, o.days_min, o.days_max, l.pieces
    from order_events as e
    join orders as o on o.id = e.order_id
    left join users as u on u.id = o.seller_id and u.erased_at is null
    left join shops as m on m.user_id = u.id
    cross join lateral (
      select coalesce(json_agg(json_build_object('name', l.name, 'answers', l.answers, 'units', s.units)
        order by l.product_id, l.line), '[]') as pieces
      from order_event_units as s
      join order_lines as l on l.order_id = s.order_id and l.product_id = s.product_id and l.line = s.line
      where s.event_id = ${parcel}
    ) as l
    where e.id = any(${ids}::bigint[])
      and not exists (
        select from order_events as undone
        where undone.about in (e.id, e.about) and undone.kind = 'undone'
      )
      -- Collected, sent or cancelled, or received, before its letter was sent. A notification stays.
      and (
        -- Ids of events are of their own: a letter of another kind may have the same subject.
        exists (
          select from outbox
          where subject = e.id and kind = any(${Object.keys(saleLetters)}::text[])
            and recipient = o.user_id and sent_at is not null
        )
        or case e.kind when 'ready' then o.is_open else not exists (
          select from order_events as received where received.about in (e.id, e.about) and received.kind = 'received'
        ) end
      )
      -- A number that was corrected meanwhile.
      and not exists (
        select from order_events as later
        where e.kind = 'tracked' and later.kind = 'tracked' and later.about = e.about and later.id > e.id
          and (later.tracking <> e.tracking or later.carrier <> coalesce(e.carrier, (select carrier from order_events where id = e.about), ''))
      )
  `.execute(db)
  return new Map(rows.map(row => [String(row.id), row]))
})

/** The subject is the event. One that was undone or corrected before its letter was sent leaves nothing to say. */
const kindOf = (write: Write, sample: Partial<Happened>): LetterKind => ({
  async write(db, { subject, recipient }) {
    const [person, event] = await Promise.all([recipientOf(db, recipient), findEvents(db, String(subject))])
    return person && event && { to: person.to, letter: write(person.name, event) }
  },
  sample: write('Ana', { ...SAMPLE, ...sample }),
})

const SAMPLE: Happened = {
  ...{ order_id: 4711, maker: 'mila', reason: '', carrier: null, tracking: null, cents: null },
  ...{ place: null, hours: null, days_min: null, days_max: null },
  pieces: [{ name: 'Speckled mug', answers: [{ question: 'Name on the mug', answer: 'Ana' }], units: 2 }],
}

/** Letters to shoppers about what their makers do. */
export const saleLetters: LetterKinds = {
  'parcel-sent': kindOf(sent, {
    carrier: 'Deutsche Post',
    tracking: 'RR123456785DE',
    days_min: 2,
    days_max: 4,
  }),
  'tracking-added': kindOf(tracked, { carrier: 'Deutsche Post', tracking: 'RR123456785DE' }),
  'order-ready': kindOf(ready, { place: 'The stall at the river', hours: 'Saturdays, 9 to 13' }),
  'cancelled-by-maker': kindOf(cancelled, { reason: 'The last ones cracked in the kiln. I am sorry!' }),
  'refund-recorded': kindOf(refunded, { cents: 4_800, reason: 'By bank transfer' }),
}
