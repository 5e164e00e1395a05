/** The baseline of each scenario: the least that does the same. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { makeRenditions } from '../src/features/images/renditions.ts'
import type { ConnectionOptions } from '../src/platform/database/database.ts'
import { CONNECTIONS, LOADED, load } from './load.ts'
import type { World } from './world.ts'

/** The bytes of a response on the network, maybe compressed. */
async function bytesOf(url: string, headers: Record<string, string>): Promise<Buffer> {
  const sent = request(url, { headers })
  sent.end()
  const [response] = await once(sent, 'response')
  if (response.statusCode !== 200) throw new Error(`${url} answers ${response.statusCode}`)
  return buffer(response)
}

/** Requests per second of a bare server, in a process of its own, that sends the same bytes as the shop. */
export async function bareServer(url: string, headers: Record<string, string> = {}): Promise<number> {
  const bytes = await bytesOf(url, headers)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  try {
    child.stdin.end(bytes)
    const [port] = await once(child.stdout, 'data')
    const { perSecond, failed } = await load(`http://127.0.0.1:${Number(port)}/`, { headers })
    if (failed > 0) throw new Error('The bare server failed')
    return perSecond
  } finally {
    child.kill()
  }
}

/** A pgbench script: `:person`, `:one`, `:two` and `:three` are random ids. */
const ADD = (listing: string) => `
with listing as (
  select p.id, s.quantity as stock from products p join stock s on s.product_id = p.id
  where p.id = :${listing} and p.deleted_at is null
), cart as (
  insert into carts (user_id) values (:person) on conflict (user_id) do nothing
)
insert into cart_lines (user_id, product_id, quantity)
select :person, listing.id, 1 from listing where listing.stock > 0
on conflict on constraint cart_lines_one_each do update set quantity = least(cart_lines.quantity + 1, 30)
returning id, quantity`

/** How a cart is delivered: postage, places and holidays of each seller, choices and address of the shopper. */
const DELIVERY = `
select p.seller_id, u.username, p.handling_days, profile.name, r.rates, k.places, wanted.place, choice.note, away.away_until, a.*
from cart_lines as line
join products as p on p.id = line.product_id
join users as u on u.id = p.seller_id
left join lateral (
  select id, name from postage_profiles as own
  where own.seller_id = p.seller_id and (own.id = p.postage_profile_id or own.is_default)
  order by own.id is distinct from p.postage_profile_id limit 1
) as profile on true
cross join lateral (select json_agg(to_json(rate)) as rates from postage_rates as rate where profile_id = profile.id) as r
cross join lateral (select json_agg(to_json(place)) as places from pickup_places as place where profile_id = profile.id) as k
left join cart_choices as choice on choice.user_id = line.user_id and choice.seller_id = p.seller_id
left join pickup_places as wanted on wanted.id = choice.pickup_id
left join lateral (
  select away_until from shops where shops.user_id = p.seller_id and current_date between away_from and away_until
) as away on true
left join carts as c on c.user_id = line.user_id
left join addresses as a on a.id = c.address_id
where line.user_id = :person
order by p.seller_id, p.id`

/** One order for each seller, all under one purchase. Everything is collected at the first place of its seller. */
const CHECKOUT = [
  'begin',
  'insert into carts (user_id) values (:person) on conflict (user_id) do update set user_id = excluded.user_id',
  DELIVERY,
  `with taken as (delete from cart_lines where user_id = :person returning product_id, quantity),
  sold as (
    select p.id, p.seller_id, p.name, p.price_cents, p.handling_days, t.quantity
    from taken t join products p on p.id = t.product_id join stock s on s.product_id = p.id
    where s.quantity >= t.quantity and p.deleted_at is null
    order by p.id for share of p for update of s
  ),
  part as (
    select nextval('ids') as id, seller.*, k.place, k.hours
    from (
      select seller_id, sum(price_cents * quantity) as cents, max(handling_days) as days from sold group by seller_id
    ) as seller
    cross join lateral (
      select place, hours from postage_profiles as own join pickup_places as at on at.profile_id = own.id
      where own.seller_id = seller.seller_id and own.is_default order by at.id limit 1
    ) as k
  ),
  placed as (
    insert into orders (id, purchase_id, user_id, seller_id, total_cents, ready_by, pickup_place, pickup_hours, pickup_code)
    select id, (select min(id) from part), :person, seller_id, cents, now() + make_interval(days => days), place, hours, '0000'
    from part returning id, seller_id, purchase_id
  ),
  lines as (
    insert into order_lines (order_id, product_id, name, price_cents, quantity)
    select placed.id, sold.id, sold.name, sold.price_cents, sold.quantity from placed join sold using (seller_id)
  ),
  letters as (
    insert into outbox (kind, subject, recipient, notify)
    select distinct 'order-received', purchase_id, :person::bigint, false from placed
    union all select 'sold', id, seller_id, true from placed where seller_id <> :person
    on conflict on constraint outbox_once do nothing
  ),
  forgotten as (delete from cart_choices where user_id = :person)
  insert into stock_ledger (product_id, units, reason, order_id)
  select sold.id, -sold.quantity, 'sale', placed.id from placed join sold using (seller_id)`,
  'commit',
]

export const adding: string[] = [ADD('one')]
/** Nearly always of two makers. */
export const ordering: string[] = [ADD('one'), ADD('two'), ...CHECKOUT]
/** Nearly always of three makers. */
export const purchasing: string[] = [ADD('one'), ADD('two'), ADD('three'), ...CHECKOUT]

/** Runs per second of an SQL script over 32 connections: by pgbench if present, else by `pg`. */
export async function bareStatements(
  connection: ConnectionOptions,
  world: World,
  statements: string[],
): Promise<{ perSecond: number; by: 'pgbench' | 'pg' }> {
  const byPgbench = await runPgbench(connection, world, statements)
  if (byPgbench !== undefined) return { perSecond: byPgbench, by: 'pgbench' }
  return { perSecond: await runPg(connection, world, statements), by: 'pg' }
}

/** Ids of users and of listings have no gaps. */
const range = (ids: number[]) => [Math.min(...ids), Math.max(...ids)] as const
const rangesOf = ({ people, listings }: World) => ({
  person: range(people.map(({ id }) => id)),
  one: range(listings),
  two: range(listings),
  three: range(listings),
})

async function runPgbench(connection: ConnectionOptions, world: World, statements: string[]) {
  if (!('host' in connection)) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'thrum-pgbench-'))
  try {
    const chosen = Object.entries(rangesOf(world)).map(
      ([name, [min, max]]) => `\\set ${name} random(${min}, ${max})`,
    )
    const script = join(folder, 'script.sql')
    await writeFile(script, [...chosen, ...statements.map(each => `${each};`)].join('\n'))
    const { host, port, user, database } = connection
    const args = `-n -M prepared -c ${CONNECTIONS} -j 1 -T ${Math.max(1, Math.round(LOADED))}`.split(' ')
    const server = ['-h', host, '-p', String(port ?? 5432), '-U', user]
    const child = spawn('pgbench', [...args, ...server, '-f', script, database], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', part => (output += part))
    const code = await new Promise<number | null>(ended => {
      child.once('error', () => ended(null))
      child.once('close', ended)
    })
    if (code === null) return undefined
    const perSecond = Number(/tps = ([\d.]+)/.exec(output)?.[1])
    if (code !== 0 || Number.isNaN(perSecond)) throw new Error(`pgbench ended with ${code}: ${output}`)
    return perSecond
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runPg(connection: ConnectionOptions, world: World, statements: string[]): Promise<number> {
  const ranges = rangesOf(world)
  const prepared = statements.map((statement, index) => {
    const names: string[] = []
    const text = statement.replace(/(?<!:):([a-z]+)/g, (_, name: string) => {
      if (!names.includes(name)) names.push(name)
      return `$${names.indexOf(name) + 1}`
    })
    return { name: `bare ${index}`, text, names: names as (keyof typeof ranges)[] }
  })
  let done = 0
  const until = performance.now() + LOADED * 1000
  const work = async () => {
    const client = new pg.Client(connection)
    await client.connect()
    while (performance.now() < until) {
      const ids = Object.fromEntries(
        Object.entries(ranges).map(([name, [min, max]]) => [
          name,
          min + Math.floor(Math.random() * (max - min + 1)),
        ]),
      )
      for (const { names, ...query } of prepared)
        await client.query({ ...query, values: names.map(name => ids[name]) })
      done++
    }
    await client.end()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return done / LOADED
}

/** Pictures per second of the image library, with the shop's concurrency. */
export async function barePictures(bytes: Buffer): Promise<number> {
  let done = 0
  const began = performance.now()
  const work = async () => {
    while (performance.now() - began < LOADED * 1000) {
      await makeRenditions(bytes)
      done++
    }
  }
  await Promise.all([work(), work()])
  return (1000 * done) / (performance.now() - began)
}
