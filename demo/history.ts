import { sql } from 'kysely'
import { add } from '#cart/add-to-cart.ts'
import type { Id } from '#contract'
import * as orders from '#orders/orders.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { detailsOfListing } from '#products/details.ts'
import type { Answer } from '#products/questions-contract.ts'
import { shopperQuestions } from '#products/variation-text.ts'
import { type Fate, homes, pastConversations, pastOrders, paymentWords, postage } from './past.ts'

/** Ids by name: of people, and of listings. */
type Ids = Map<string, Id>

/** The id of this name. @throws Error if the demo has nobody and nothing of it */
export function idIn(ids: Ids, name: string): Id {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The demo data names ${name}, which it does not have`)
  return id
}

const DAY_MS = 24 * 60 * 60 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

/** How the makers send, and where the shoppers live. Doing it again changes nothing. */
export async function furnishPostage(db: Database): Promise<void> {
  await sql`
    with maker as (
      select u.id, p.* from json_to_recordset(${JSON.stringify(postage)}::json)
        as p (maker text, name text, first int, further int, abroad int, handling int, place text, hours text)
      join users as u on u.username = p.maker
    ),
    profile as (
      update postage_profiles as f set name = maker.name, from_country = 'US'
      from maker where f.seller_id = maker.id and f.is_default
      returning f.id, maker.id as seller_id, first, further, abroad, handling, place, hours
    ),
    handled as (
      update products as p set handling_days = handling from profile
      where p.seller_id = profile.seller_id and not p.made_to_order
    ),
    paid as (
      update shops set payment_words = ${paymentWords} from maker where shops.user_id = maker.id
    ),
    places as (
      update pickup_places as k set place = profile.place, hours = profile.hours
      from profile where k.profile_id = profile.id
    )
    insert into postage_rates (profile_id, destination, first_cents, further_cents, days_min, days_max)
    select id, 'US', first, further, 2, 5 from profile union all select id, '*', abroad, further, 7, 21 from profile
    on conflict do nothing
  `.execute(db)
}

/** Places the orders of the past that are missing. */
export async function placePastOrders(db: Database, people: Ids, listings: Ids): Promise<void> {
  const placed = new Set(
    (await placedOrders(db)).map(({ shopper, product_id }) => `${shopper} ${product_id}`),
  )
  for (const { shopper, listing, quantity, answers } of pastOrders) {
    const [user, product] = [idIn(people, shopper), idIn(listings, listing)]
    if (placed.has(`${shopper} ${product}`)) continue
    await putIntoCart(db, user, product, { quantity, answers })
    await orders.place(db, user)
  }
}

/** Puts a listing into a cart, with answers to what it asks: one of an older demo asks nothing. */
export async function putIntoCart(
  db: Database,
  user: Id,
  product: Id,
  { quantity, answers = [] }: { quantity: number; answers?: Answer[] | undefined },
): Promise<void> {
  const questions = shopperQuestions(await detailsOfListing(db, product))
  const asked = answers.filter(({ question }) => questions.some(({ title }) => title === question))
  await add(db, user, product, { quantity, answers: asked })
}

interface Placed {
  id: Id
  user_id: Id
  shopper: string
  maker: string
  product_id: Id
  units: number
  /** Integer cents, without postage. */
  total_cents: number
}

/** Every order with its first line, oldest first. Those of the demo's makers and shoppers have one line each. */
async function placedOrders(db: Database): Promise<Placed[]> {
  const { rows } = await sql<Placed>`
    select o.id, o.user_id, u.username as shopper, s.username as maker, l.product_id, l.quantity as units, o.total_cents
    from orders as o join users as u on u.id = o.user_id join users as s on s.id = o.seller_id
    join lateral (select product_id, quantity from order_lines where order_id = o.id order by product_id limit 1) as l on true
    order by o.id
  `.execute(db)
  return rows
}

/** What became of an order, and when it was placed. */
interface Course {
  order: Placed
  fate: Fate
  /** When it was placed. */
  at: Date
  past?: (typeof pastOrders)[number]
}

/** Sales of the listings are spread over a year, the oldest first; what the demo account has just ordered is of yesterday. */
async function coursesOf(db: Database, listings: Ids): Promise<Course[]> {
  const found = (await placedOrders(db)).map(order => ({
    order,
    past: pastOrders.find(
      ({ shopper, listing }) => shopper === order.shopper && listings.get(listing) === order.product_id,
    ),
  }))
  const sales = found.filter(({ order, past }) => !past && order.shopper !== 'demo')
  return found.map(({ order, past }): Course => {
    if (past) return { order, past, fate: past.fate, at: daysAgo(past.days) }
    const n = sales.findIndex(sale => sale.order === order)
    if (n < 0) return { order, fate: 'open', at: daysAgo(1) }
    const days = 350 - Math.round((340 * n) / sales.length)
    return { order, fate: days < 16 ? 'sent' : n % 4 === 3 ? 'collected' : 'received', at: daysAgo(days) }
  })
}

/** Whether an order is sent by post. */
const isPosted = ({ fate }: Course): boolean => !['open', 'ready', 'collected'].includes(fate)

/** What sending an order costs, cents. */
function postageOf(course: Course): number {
  const { maker, units } = course.order
  const { first = 0, further = 0 } = postage.find(profile => profile.maker === maker) ?? {}
  return isPosted(course) ? first + further * (units - 1) : 0
}

/**
 * Dates back what was placed just now, and records what became of it, in one transaction. Doing it again changes nothing. The
 * features write only the present, so the statements are here.
 */
export function writeHistory(db: Database, listings: Ids): Promise<void> {
  return transaction(db, async db => {
    const begun = await db.selectFrom('order_events').select('id').limit(1).executeTakeFirst()
    if (begun) return
    const courses = await coursesOf(db, listings)
    await dateBack(db, courses)
    await recordEvents(db, courses)
    await sendMessages(db, courses)
  })
}

async function dateBack(db: Database, courses: Course[]): Promise<void> {
  const rows = courses.map(course => {
    const { order, at } = course
    const { handling = 3, name = '' } = postage.find(({ maker }) => maker === order.maker) ?? {}
    const cents = postageOf(course)
    const home = homes.find(({ shopper }) => shopper === order.shopper)
    return { id: order.id, at, handling, posted: isPosted(course), name, cents, ...home }
  })
  const row = sql`json_to_recordset(${JSON.stringify(rows)}::json) as row (id bigint, at timestamptz, handling int, posted bool,
    name text, cents int, line1 text, city text, region text, postal_code text)`
  await sql`
    with dated as (
      update orders as o set created_at = row.at, ready_by = row.at + make_interval(days => handling),
        postage_cents = cents, total_cents = o.total_cents + cents, postage_name = case when posted then row.name else '' end,
        days_min = case when posted then 2 end, days_max = case when posted then 5 end,
        pickup_place = case when not posted then there.place end,
        pickup_hours = case when not posted then there.hours end,
        pickup_code = case when not posted then o.pickup_code end
      from ${row} cross join (
        select distinct on (f.seller_id) f.seller_id, k.place, k.hours
        from pickup_places as k join postage_profiles as f on f.id = k.profile_id order by f.seller_id, k.id
      ) as there
      where o.id = row.id and there.seller_id = o.seller_id
    ),
    people as (
      update users set created_at = least(users.created_at, now() - interval '400 days' + id * interval '1 hour')
    ),
    reviewed as (
      update reviews as r set created_at = coalesce(bought.at + interval '9 days', now() - (20 + r.id * 37 % 300) * interval '1 day')
      from reviews as same left join lateral (
        select min(row.at) as at from ${row} join orders as o on o.id = row.id join order_lines as l on l.order_id = o.id
        where o.user_id = same.user_id and l.product_id = same.product_id and row.at < now() - interval '9 days'
      ) as bought on true
      where same.id = r.id
    )
    insert into order_addresses (order_id, name, line1, line2, city, region, postal_code, country)
    select row.id, u.first_name || ' ' || u.last_name, line1, '', city, region, postal_code, 'US'
    from ${row} join orders as o on o.id = row.id join users as u on u.id = o.user_id where posted
  `.execute(db)
}

/** Dates of a reviewer who came after the orders of the past. */
export async function dateReviews(db: Database, reviewer: Id): Promise<void> {
  await sql`
    with dated as (
      update reviews set created_at = now() - (20 + id * 37 % 300) * interval '1 day' where user_id = ${reviewer}
    )
    update users set created_at = now() - interval '380 days' where id = ${reviewer}
  `.execute(db)
}

interface Event {
  order_id: Id
  /** Unique in its order. */
  key: string
  kind: string
  role: 'shopper' | 'maker'
  /** Days after the order. */
  after: number
  /** Key of the event that it is about. */
  about?: string
  product_id?: Id
  units?: number
  carrier?: string
  tracking?: string
  cents?: number
  reason?: string
}

function eventsOf(course: Course): Event[] {
  const { order, fate } = course
  const { id: order_id, product_id, units } = order
  const event = (kind: string, after: number, more: Partial<Event> = {}): Event => ({
    order_id,
    key: `demo-${kind}`,
    kind,
    role: 'maker',
    after,
    ...more,
  })
  const sent = (some: number) =>
    event('sent', 2, { product_id, units: some, carrier: 'USPS', tracking: `0000 ${order_id} 0000` })
  const paid = (after: number) => event('paid', after, { cents: order.total_cents + postageOf(course) })
  switch (fate) {
    case 'ready':
      return [event('ready', 2)]
    case 'collected':
      return [event('ready', 2), event('collected', 4, { product_id, units }), paid(4)]
    case 'part-sent':
      return [sent(Math.floor(units / 2))]
    case 'sent':
      return [paid(1), sent(units)]
    case 'received':
      return [sent(units), event('received', 6, { role: 'shopper', about: 'demo-sent' }), paid(9)]
    case 'cancelled':
      return [event('cancelled', 3, { product_id, units, reason: 'A knot opened while it dried.' })]
    default:
      return []
  }
}

async function recordEvents(db: Database, courses: Course[]): Promise<void> {
  const events = courses.flatMap(course =>
    eventsOf(course).map(event => {
      const at = new Date(course.at.getTime() + event.after * DAY_MS)
      return { ...event, at, happened_on: event.cents === undefined ? undefined : dayOf(at) }
    }),
  )
  const insert = (rows: typeof events) => sql`
    with event as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as event (order_id bigint, key text, kind text, role text,
        at timestamptz, about text, product_id bigint, units int, carrier text, tracking text, cents bigint, happened_on date,
        reason text)
    ),
    recorded as (
      insert into order_events (order_id, key, kind, role, created_at, about, carrier, tracking, cents, happened_on, reason)
      select order_id, key, kind, role, at,
        (select id from order_events as e where e.order_id = event.order_id and e.key = event.about),
        carrier, tracking, cents, happened_on, coalesce(reason, '')
      from event order by order_id, at
      returning id, order_id, key
    ),
    returned as (
      insert into stock_ledger (product_id, units, reason, order_id, event_id)
      select product_id, units, 'cancel', order_id, id from event join recorded using (order_id, key) where kind = 'cancelled'
    )
    insert into order_event_units (event_id, order_id, product_id, units)
    select id, order_id, product_id, units from event join recorded using (order_id, key) where units is not null
  `
  await insert(events.filter(({ about }) => about === undefined)).execute(db)
  await insert(events.filter(({ about }) => about !== undefined)).execute(db)
}

async function sendMessages(db: Database, courses: Course[]): Promise<void> {
  const rows = courses.flatMap(({ order, at, past }) =>
    (past?.messages ?? []).map(({ by, text }, n, all) => {
      const sent = new Date(at.getTime() + (n + 1) * 0.4 * DAY_MS)
      const unread = past?.unread && n === all.length - 1
      return { order_id: order.id, role: by, text, key: `demo-${n}`, sent, read: unread ? undefined : sent }
    }),
  )
  await sql`
    insert into order_messages (order_id, role, text, key, created_at, read_at)
    select order_id, role, text, key, sent, read from json_to_recordset(${JSON.stringify(rows)}::json)
      as message (order_id bigint, role text, text text, key text, sent timestamptz, read timestamptz)
    order by order_id, key
  `.execute(db)
}

/** Writes the conversations without an order, in the past. Doing it again changes nothing. */
export async function writeConversations(db: Database, people: Ids, listings: Ids): Promise<void> {
  for (const { shopper, maker, listing, days, messages, unread } of pastConversations) {
    const dated = messages.map(({ by, text }, n) => {
      const sent = daysAgo(days - n / 3)
      const read_at = unread && n === messages.length - 1 ? null : sent
      return { role: by, text, key: `demo-${n}`, created_at: sent, read_at }
    })
    await transaction(db, async db => {
      const begun = await db
        .insertInto('conversations')
        .values({
          shopper_id: idIn(people, shopper),
          maker_id: idIn(people, maker),
          product_id: idIn(listings, listing),
          created_at: dated[0]?.created_at,
          newest_at: dated.at(-1)?.created_at,
        })
        .onConflict(conflict => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!begun) return
      const rows = dated.map(message => ({ conversation_id: begun.id, ...message }))
      await db.insertInto('conversation_messages').values(rows).execute()
    })
  }
}
