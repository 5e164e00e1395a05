import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Address } from '#addresses/contract.ts'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { type PickupPlace, postageOf, rateTo } from '#postage/contract.ts'
import { awayRefusal } from '#postage/rates.ts'
import { Problem } from '#problem'
import type { Units } from '#products/stock.ts'

/** How the pieces of one seller in a cart reach their shopper. */
export interface Part<Line extends Units> {
  seller_id: Id
  username: string
  lines: Line[]
  /** Sent to the chosen address. Undefined: there is none, or the seller does not send all of these pieces there. */
  post: Post | undefined
  /** Where all of these pieces can be collected. */
  pickup_places: PickupPlace[]
  /** What applies. Undefined: nothing is possible, see `refusalOf`. */
  chosen: Post | PickupPlace | undefined
  note: string
  /** Most days until all of these pieces are ready. */
  ready_days: number
  away_until: string | null
  away_note: string
}
export interface Post {
  /** Integer cents. */
  postage_cents: number
  /** Of the profile with the dearest first piece. */
  name: string
  days_min: number
  days_max: number
}

/** The delivery of a cart. */
export interface Delivery<Line extends Units> {
  address: Address | undefined
  /** By ascending id of the seller. */
  parts: Part<Line>[]
}

interface Row {
  number: number
  seller_id: Id
  username: string
  handling_days: number
  profile_id: Id
  profile: string
  rates: {
    destination: string
    first_cents: number
    further_cents: number
    days_min: number
    days_max: number
  }[]
  pickup_places: PickupPlace[]
  pickup_id: Id | null
  note: string
  away_until: string | null
  away_note: string
  address: Address | null
}

/**
 * How a cart is delivered: one part for each seller, by what its shopper has chosen. Without a choice pieces are sent by post
 * to the address of the cart, else collected at the first place of the seller.
 */
export async function deliveryOf<Line extends Units>(
  db: Database,
  userId: Id,
  lines: Line[],
): Promise<Delivery<Line>> {
  const { rows } = await sql<Row>`
    select line.number::int as number, p.seller_id, u.username, p.handling_days, profile.id as profile_id, profile.name as profile,
      r.rates, k.pickup_places, choice.pickup_id, coalesce(choice.note, '') as note, away.away_until, away.away_note, a.address
    from unnest(${lines.map(line => line.product_id)}::bigint[]) with ordinality as line (product_id, number)
    join products as p on p.id = line.product_id
    join users as u on u.id = p.seller_id
    join postage_profiles as profile
      on profile.seller_id = p.seller_id and (profile.id = p.postage_profile_id or p.postage_profile_id is null and profile.is_default)
    cross join lateral (
      select coalesce(json_agg(json_build_object('destination', destination, 'first_cents', first_cents,
        'further_cents', further_cents, 'days_min', days_min, 'days_max', days_max) order by id), '[]') as rates
      from postage_rates where profile_id = profile.id
    ) as r
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', id, 'place', place, 'hours', hours) order by id), '[]') as pickup_places
      from pickup_places where profile_id = profile.id
    ) as k
    left join cart_choices as choice on choice.user_id = ${userId} and choice.seller_id = p.seller_id
    left join lateral (
      select away_until::text, away_note from shops
      where shops.user_id = p.seller_id and (now() at time zone 'UTC')::date between away_from and away_until
    ) as away on true
    left join lateral (
      select json_build_object('id', id, 'name', name, 'line1', line1, 'line2', line2, 'city', city, 'region', region,
        'postal_code', postal_code, 'country', country) as address
      from addresses where id = (select address_id from carts where user_id = ${userId})
    ) as a on true
    order by p.seller_id, line.number
  `.execute(db)
  const address = rows[0]?.address ?? undefined
  const sellers = Map.groupBy(rows, row => row.seller_id)
  const parts = [...sellers.values()].map(rows => partOf(rows, lines, address))
  return { address, parts }
}

function partOf<Line extends Units>(rows: Row[], lines: Line[], address: Address | undefined): Part<Line> {
  const [first] = rows
  if (!first) throw new Error('a part of a cart has no lines')
  const post = address && postTo(rows, lines, address.country)
  const pickup_places = first.pickup_places.filter(({ place }) =>
    rows.every(row => row.pickup_places.some(other => other.place === place)),
  )
  const { pickup_id } = first
  const isOwn = (row: Row) => row.pickup_places.find(({ id }) => id === pickup_id)?.place
  const wanted = rows.map(isOwn).find(place => place !== undefined)
  return {
    seller_id: first.seller_id,
    username: first.username,
    lines: rows.map(row => lineOf(row, lines)),
    post,
    pickup_places,
    chosen: pickup_places.find(({ place }) => place === wanted) ?? post ?? pickup_places[0],
    note: first.note,
    ready_days: Math.max(...rows.map(row => row.handling_days)),
    away_until: first.away_until,
    away_note: first.away_note ?? '',
  }
}

function lineOf<Line extends Units>({ number }: Row, lines: Line[]): Line {
  const line = lines[number - 1]
  if (!line) throw new Error('a row is of no line')
  return line
}

function postTo(rows: Row[], lines: Units[], country: string): Post | undefined {
  const posted = rows.map(row => ({
    ...lineOf(row, lines),
    rate: rateTo(row.rates, country),
    name: row.profile,
  }))
  const rated = posted.flatMap(({ rate, ...line }) => (rate ? [{ ...line, ...rate }] : []))
  const [dearest] = [...rated].sort((a, b) => b.first_cents - a.first_cents)
  if (!dearest || rated.length < posted.length) return undefined
  return {
    postage_cents: postageOf(rated),
    name: dearest.name,
    days_min: Math.max(...rated.map(line => line.days_min)),
    days_max: Math.max(...rated.map(line => line.days_max)),
  }
}

export const isPickup = (chosen: Post | PickupPlace): chosen is PickupPlace => 'place' in chosen

/** Postage of a part, integer cents. */
export const postageCents = ({ chosen }: Pick<Part<Units>, 'chosen'>): number =>
  chosen && !isPickup(chosen) ? chosen.postage_cents : 0

/** Why a part cannot be ordered; undefined: it can. */
export function refusalOf(
  { username, chosen, away_until }: Part<Units>,
  address: Address | undefined,
): string | undefined {
  if (away_until) return awayRefusal(username, away_until)
  if (chosen) return undefined
  return address
    ? `${username} does not send all of these pieces to this address. Choose another one, or remove what is not sent there`
    : `Choose an address: ${username} sends these pieces by post`
}

/** @throws Problem 409 naming each part that cannot be ordered */
export function assertDeliverable({ address, parts }: Delivery<Units>): void {
  const errors = parts.map(part => refusalOf(part, address)).filter(error => error !== undefined)
  if (errors[0] !== undefined) throw new Problem(409, errors[0], { errors })
}

/** A code that the shopper says when collecting: four digits. */
export const pickupCode = (): string => String(randomInt(10_000)).padStart(4, '0')
