/** Data of the bench: listings, reviews, users, and open sessions. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import type { ConnectionOptions } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrations.ts'
import { startEmbedded } from '../src/platform/embedded-postgres/embedded.ts'
import { addGeneratedListings } from './generated.ts'
import { addSales, SALES } from './sales.ts'

interface Size {
  listings: number
  reviews: number
  people: number
}
/** Number of open sessions. */
export const SESSIONS = 200
/** Number of sellers who upload photos. */
const MAKERS = 4
/** Number of lines in the cart of everybody else. */
const LINES = 5
/** Number of newest listings that are bought, with enough stock. */
const BOUGHT = 10_000
const STOCK = 100_000

/** Ids and cookies for the scenarios. */
export interface World {
  /** Session cookie and id of each user. */
  people: { id: number; cookie: string }[]
  /** Listings in stock. */
  listings: number[]
  /** The same in three groups: a seller is in one of them. */
  groups: number[][]
  /** A listing with reviews. */
  piece: number
  /** Session cookies of sellers, with their listings. */
  makers: { cookie: string; listings: number[] }[]
  /** Session cookies of sellers with few and with many orders. */
  sellers: Record<keyof typeof SALES, string>
}

/** Fills the database of a data folder before its shop opens. Migrations run as in the shop. */
export async function fill(dataDir: string, { listings }: Size): Promise<void> {
  const folder = join(dataDir, 'postgres')
  const embedded = await startEmbedded({ dataDir: folder, log: () => {}, settings: { fsync: 'off' } })
  try {
    await migrate(embedded.connection, join(import.meta.dirname, '../migrations'))
    await addGeneratedListings(embedded.connection, listings, false)
    await addVariations(embedded.connection)
  } finally {
    await embedded.stop()
  }
}

/** Gives every third listing two sizes. Those that are bought and put into carts have none, so that a line needs no answers. */
async function addVariations(connection: ConnectionOptions): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    await client.query(
      `update products set variations = $1
      where id % 3 = 0 and id <= (select max(id) from products) - $2`,
      [
        JSON.stringify([{ title: 'Size', instructions: '', required: true, options: ['Small', 'Large'] }]),
        BOUGHT,
      ],
    )
    await client.query(
      `insert into variants (product_id, options, position, price_cents, quantity)
      select p.id, array[o.name], o.position, p.price_cents + o.position * 500, (s.quantity + o.position) / 2
      from products as p join stock as s on s.product_id = p.id
      cross join (values (0, 'Small'), (1, 'Large')) as o (position, name)
      where p.variations <> '[]'`,
    )
    await client.query(
      `insert into stock_ledger (product_id, variant_id, units, reason)
      select product_id, id, quantity, 'restock' from variants where quantity > 0
      union all
      select s.product_id, null, -s.quantity, 'correction' from stock as s
      join products as p on p.id = s.product_id and p.variations <> '[]' where s.quantity > 0`,
    )
    await client.query('commit')
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

const tokenOf = (person: number) => `bench-${person}`
const cookieOf = (person: number) => `session=${tokenOf(person)}`

/** Adds users, reviews, stock and sessions to an open shop. */
export async function settle(connection: ConnectionOptions, { reviews, people }: Size): Promise<World> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(
      `insert into users (username, email, first_name, last_name, password_hash)
      select 'visitor_' || n, 'visitor_' || n || '@example.com', 'Visitor', 'Fromafar', '-'
      from generate_series(1, $1::int) as n`,
      [people],
    )
    await review(client, reviews)
    await client.query(
      `insert into stock_ledger (product_id, units, reason)
      select product_id, $1, 'restock' from stock order by product_id desc limit $2`,
      [STOCK, BOUGHT],
    )
    const world = await signIn(client)
    const [few, many] = world.people
    await addSales(client, few?.id ?? 0, SALES.few)
    await addSales(client, many?.id ?? 0, SALES.many)
    await fillCarts(client)
    await client.query('vacuum analyze')
    return world
  } finally {
    await client.end()
  }
}

/** Reviews of the listings in turn, each by another user. */
async function review(client: pg.Client, count: number): Promise<void> {
  await client.query('begin; set local session_replication_role = replica')
  await client.query(
    `with listed as (select id, row_number() over (order by id) - 1 as place from products),
      people as (select id, row_number() over (order by id) - 1 as place, count(*) over () as all_of_them from users)
    insert into reviews (product_id, user_id, review, stars, created_at)
    select l.id, p.id, 'Made with care, and it shows. Review ' || n || ' of many.', 1 + (n * 7 % 5),
      timestamptz '2026-02-01' + n * interval '1 minute'
    from generate_series(0, $1::int - 1) as n
    join listed as l on l.place = n % (select count(*) from listed)
    join people as p on p.place = (n * 13 + n / 1000) % p.all_of_them
    on conflict do nothing`,
    [count],
  )
  await client.query(
    'insert into ratings (product_id, reviews, stars) select product_id, count(*), sum(stars) from reviews group by product_id',
  )
  await client.query(
    `update catalogue as c set reviews = r.reviews, rating = round(10.0 * r.stars / r.reviews)
    from ratings as r where r.product_id = c.product_id`,
  )
  await client.query('commit')
}

/**
 * Carts of users who are not logged in, with listings of every age: PostgreSQL plans by the size of a table and by the values
 * in it, and keeps the plan.
 */
async function fillCarts(client: pg.Client): Promise<void> {
  const others = 'select id from users where id not in (select user_id from sessions)'
  await client.query(`insert into carts (user_id) ${others} on conflict do nothing`)
  // Products of large primes: spread evenly, and the same in every run.
  await client.query(
    `insert into cart_lines (user_id, product_id, quantity, added_price_cents)
    select o.id, p.id, 1, p.price_cents
    from (${others}) as o cross join generate_series(1, $1) as n
    join products as p on p.id = 1 + (o.id * 7919 + n * 104729) % (select max(id) from products)
    on conflict do nothing`,
    [LINES],
  )
}

async function signIn(client: pg.Client): Promise<World> {
  const ids = async (query: string, values: unknown[] = []) =>
    (await client.query<{ id: string }>(query, values)).rows.map(({ id }) => Number(id))
  const people = await ids('select id from users order by id desc limit $1', [SESSIONS])
  const listings = await ids('select id from products order by id desc limit $1', [BOUGHT])
  const groups: number[][] = []
  for (const group of [0, 1, 2])
    groups.push(
      await ids(
        `select id from (select id, seller_id from products order by id desc limit $1) as bought
        where seller_id % 3 = $2 order by id desc`,
        [BOUGHT, group],
      ),
    )
  const [id = 0] = await ids('select product_id as id from ratings order by reviews desc, product_id limit 1')
  const { rows: makers } = await client.query<{ id: string; listings: string[] }>(
    'select seller_id as id, array_agg(id) as listings from products group by seller_id order by 1 limit $1',
    [MAKERS],
  )
  const signedIn = [...new Set([...people, ...makers.map(maker => Number(maker.id))])]
  await client.query(
    `insert into sessions (token_hash, user_id, expires_at)
    select hash, person, now() + interval '1 day' from unnest($1::bytea[], $2::bigint[]) as opened (hash, person)`,
    [signedIn.map(person => createHash('sha256').update(tokenOf(person)).digest()), signedIn],
  )
  return {
    people: people.map(person => ({ id: person, cookie: cookieOf(person) })),
    listings,
    groups,
    piece: id,
    sellers: { few: cookieOf(people[0] ?? 0), many: cookieOf(people[1] ?? 0) },
    makers: makers.map(maker => ({
      cookie: cookieOf(Number(maker.id)),
      listings: maker.listings.map(Number),
    })),
  }
}
