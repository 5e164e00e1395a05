import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Address } from '#addresses/contract.ts'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { isAway } from '#postage/away.ts'
import type { PickupPlace } from '#postage/contract.ts'
import { awayRefusal, dearestOf, postageOf, rateTo } from '#postage/rates.ts'
import { Problem } from '#problem'
import { makerName } from '#products/maker-name.ts'
import type { Units } from '#products/stock.ts'

/** How the pieces of one seller in a cart reach their shopper. */
export interface SellerDelivery<Line extends Units> {
  seller_id: Id
  username: string
  /** Of the seller, as pages show it. */
  name: string
  lines: Line[]
  /** Whether the seller sends all of these pieces by post to somewhere: then an address matters. */
  by_post: boolean
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
  parts: SellerDelivery<Line>[]
}

/** A line of a cart with what its seller offers. */
export interface Offer {
  /** Of the line, from 1. */
  number: number
  seller_id: Id
  username: string
  name: string
  handling_days: number
  /** null: the seller has no postage, so nothing is possible. */
  profile: string | null
  rates: {
    destination: string
    first_cents: number
    further_cents: number
    days_min: number
    days_max: number
  }[]
  pickup_places: PickupPlace[]
  /** The chosen place: profiles of one seller can each have it. */
  wanted: string | null
  note: string
  away_until: string | null
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
  const { rows } = await sql<Offer>`
    select line.number::int as number, p.seller_id, u.username, ${makerName} as name, p.handling_days,
      profile.name as profile, coalesce(choice.note, '') as note,
      case when ${isAway('m')} then m.away_until::text end as away_until,
      (select place from pickup_places where id = choice.pickup_id) as wanted,
      (
        select coalesce(json_agg(json_build_object('destination', destination, 'first_cents', first_cents,
          'further_cents', further_cents, 'days_min', days_min, 'days_max', days_max) order by id), '[]')
        from postage_rates where profile_id = profile.id
      ) as rates,
      (
        select coalesce(json_agg(json_build_object('id', id, 'place', place, 'hours', hours) order by id), '[]')
        from pickup_places where profile_id = profile.id
      ) as pickup_places,
      (
        select json_build_object('id', id, 'name', name, 'line1', line1, 'line2', line2, 'city', city, 'region', region,
          'postal_code', postal_code, 'country', country)
        from addresses where id = (select address_id from carts where user_id = ${userId})
      ) as address
    from unnest(${lines.map(line => line.product_id)}::bigint[]) with ordinality as line (product_id, number)
    join products as p on p.id = line.product_id
    join users as u on u.id = p.seller_id
    left join shops as m on m.user_id = p.seller_id
    left join lateral (
      select id, name from postage_profiles as own
      where own.seller_id = p.seller_id and (own.id = p.postage_profile_id or own.is_default)
      order by own.id is distinct from p.postage_profile_id limit 1
    ) as profile on true
    left join cart_choices as choice on choice.user_id = ${userId} and choice.seller_id = p.seller_id
    -- Not by their order in the cart: the first listing says which places come first.
    order by p.seller_id, p.id, line.number
  `.execute(db)
  const address = rows[0]?.address ?? undefined
  const sellers = Map.groupBy(rows, row => row.seller_id)
  const parts = [...sellers.values()].map(rows => sellerDeliveryOf(rows, lines, address))
  return { address, parts }
}

/** How all pieces of one seller arrive. @param rows their offers @param lines the lines that the offers number */
export function sellerDeliveryOf<Line extends Units>(
  rows: Offer[],
  lines: Line[],
  address: Pick<Address, 'country'> | undefined,
): SellerDelivery<Line> {
  const [first] = rows
  if (!first) throw new Error('a part of a cart has no lines')
  const post = address && postTo(rows, lines, address.country)
  const pickup_places = first.pickup_places.filter(({ place }) =>
    rows.every(row => row.pickup_places.some(other => other.place === place)),
  )
  return {
    seller_id: first.seller_id,
    username: first.username,
    name: first.name,
    lines: rows.map(row => lineOf(row, lines)),
    by_post: rows.every(row => row.rates.length > 0),
    post,
    pickup_places,
    chosen: pickup_places.find(({ place }) => place === first.wanted) ?? post ?? pickup_places[0],
    note: first.note,
    ready_days: Math.max(...rows.map(row => row.handling_days)),
    away_until: first.away_until,
  }
}

function lineOf<Line extends Units>({ number }: Offer, lines: Line[]): Line {
  const line = lines[number - 1]
  if (!line) throw new Error('a delivery row has no cart line')
  return line
}

function postTo(rows: Offer[], lines: Units[], country: string): Post | undefined {
  const posted = rows.map(row => ({
    ...lineOf(row, lines),
    rate: rateTo(row.rates, country),
    name: row.profile ?? '',
  }))
  const rated = posted.flatMap(({ rate, ...line }) => (rate ? [{ ...line, ...rate }] : []))
  const dearest = dearestOf(rated)
  if (!dearest || rated.length < posted.length) return undefined
  return {
    postage_cents: postageOf(rated),
    name: dearest.name,
    days_min: Math.max(...rated.map(line => line.days_min)),
    days_max: Math.max(...rated.map(line => line.days_max)),
  }
}

/** Whether the chosen way is a pick-up place. */
export const isPickup = (chosen: Post | PickupPlace): chosen is PickupPlace => 'place' in chosen

/** Postage of a part, integer cents. */
export const postageCents = ({ chosen }: Pick<SellerDelivery<Units>, 'chosen'>): number =>
  chosen && !isPickup(chosen) ? chosen.postage_cents : 0

/** Why a part cannot be ordered. Undefined if it can. */
export function refusalOf(
  { name, lines, chosen, away_until, by_post }: SellerDelivery<Units & { refusal?: string | undefined }>,
  address: Address | undefined,
): string | undefined {
  if (away_until) return awayRefusal(name, away_until)
  const refused = lines.find(({ refusal }) => refusal !== undefined)
  if (refused) return refused.refusal
  if (chosen) return undefined
  if (!by_post)
    return `There is no one way for all of these pieces by ${name} to reach you: order some of them later`
  return address
    ? `${name} does not send all of these pieces to this address. Choose another one, or remove what is not sent there`
    : `Choose an address: ${name} sends these pieces by post`
}

/** @throws Problem 409 naming each part that cannot be ordered */
export function requireDeliverable({ address, parts }: Delivery<Units>): void {
  const errors = parts.map(part => refusalOf(part, address)).filter(error => error !== undefined)
  if (errors[0] !== undefined) throw new Problem(409, errors[0], { errors })
}

/** A code that the shopper says when collecting: four digits, the first is not 0. */
export const pickupCode = (): string => String(randomInt(1_000, 10_000))
