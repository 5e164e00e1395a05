import { sql } from 'kysely'
import * as addressBook from '#addresses/addresses.ts'
import type { Address } from '#addresses/contract.ts'
import type { OrderableLine } from '#cart/cart.ts'
import * as cart from '#cart/cart.ts'
import { recordChoice } from '#cart/choices.ts'
import type { Id } from '#contract'
import { fromCents } from '#money'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { makerPicture } from '#products/maker-name.ts'
import type { Checkout, CheckoutPart } from './contract.ts'
import { deliveryOf, isPickup, postageCents, refusalOf, type SellerDelivery } from './delivery.ts'
import { deliveryDigest } from './delivery-digest.ts'

/** How a user's cart reaches them, and what that costs. It reserves nothing. */
export async function view(db: Database, userId: Id): Promise<Checkout> {
  const delivery = await deliveryOf(db, userId, await cart.orderableLines(db, userId))
  const addresses = await addressBook.list(db, userId)
  // Without pieces there is no row that has it.
  const address = delivery.address ?? (await chosenAddress(db, userId, addresses))
  const pictures = await picturesOf(
    db,
    delivery.parts.map(part => part.seller_id),
  )
  const parts = delivery.parts.map(part => viewOf(part, address, pictures.get(part.seller_id) ?? null))
  const cents = (amount: (part: SellerDelivery<OrderableLine>) => number) =>
    delivery.parts.reduce((sum, part) => sum + amount(part), 0)
  return {
    address: address ?? null,
    addresses,
    parts,
    postage: fromCents(cents(postageCents)),
    total: fromCents(cents(part => piecesCents(part) + postageCents(part))),
    delivery: deliveryDigest(delivery),
  }
}

const piecesCents = ({ lines }: SellerDelivery<OrderableLine>): number =>
  lines.reduce((sum, line) => sum + line.price_cents * line.quantity, 0)

/** Addresses of the pictures of makers, by id. */
async function picturesOf(db: Database, sellers: Id[]): Promise<Map<Id, string | null>> {
  const rows = await db
    .selectFrom('shops as m')
    .select(['m.user_id', makerPicture.as('picture')])
    .where('m.user_id', '=', sql<Id>`any(${sellers}::bigint[])`)
    .execute()
  return new Map(rows.map(({ user_id, picture }) => [user_id, picture]))
}

function viewOf(
  part: SellerDelivery<OrderableLine>,
  address: Address | undefined,
  picture: string | null,
): CheckoutPart {
  const { seller_id, username, name, lines, post, chosen } = part
  return {
    seller: { id: seller_id, username, name, picture },
    lines: lines.map(({ product_id, quantity }) => ({ product_id, quantity })),
    pieces: fromCents(piecesCents(part)),
    by_post: part.by_post,
    post: post
      ? {
          postage: fromCents(post.postage_cents),
          name: post.name,
          days_min: post.days_min,
          days_max: post.days_max,
        }
      : null,
    pickup_places: part.pickup_places,
    pickup_id: chosen && isPickup(chosen) ? chosen.id : null,
    note: part.note,
    ready_days: part.ready_days,
    postage: fromCents(postageCents(part)),
    refusal: refusalOf(part, address) ?? null,
  }
}

async function chosenAddress(db: Database, userId: Id, addresses: Address[]): Promise<Address | undefined> {
  const row = await db
    .selectFrom('carts')
    .select('address_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return addresses.find(({ id }) => id === row?.address_id)
}

/** Sets the delivery address of a cart. @param id null for none @throws Problem 404 unknown or someone else's */
export async function setAddress(db: Database, userId: Id, id: Id | null): Promise<void> {
  await transaction(db, async db => {
    await cart.lock(db, userId)
    if (id !== null) await requireAddress(db, userId, id)
    await cart.setAddress(db, userId, id)
  })
}

/** Keeps the address from being deleted until the transaction ends. */
async function requireAddress(db: Database, userId: Id, id: Id): Promise<void> {
  const address = await db
    .selectFrom('addresses')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forKeyShare()
    .executeTakeFirst()
  if (!address) throw new Problem(404, 'There is no such address')
}

const NO_SELLER = 'Nothing of this maker is in your cart'

/** @throws Problem 404 if nothing of a seller is in the user's cart */
export async function requireSeller(db: Database, userId: Id, sellerId: Id): Promise<void> {
  const line = await db
    .selectFrom('cart_lines as l')
    .innerJoin('products as p', 'p.id', 'l.product_id')
    .select('l.id')
    .where('l.user_id', '=', userId)
    .where('p.seller_id', '=', sellerId)
    .executeTakeFirst()
  if (!line) throw new Problem(404, NO_SELLER)
}

/** The delivery choice for the pieces of one maker. Undefined fields stay unchanged. */
export interface Choice {
  /** Null: by post, where that is possible. */
  pickup_id?: Id | null | undefined
  note?: string | undefined
}

/**
 * Chooses how the pieces of a seller arrive.
 * @throws Problem 404 if nothing of theirs is in the cart, 409 for a place where these pieces cannot be collected
 */
export async function choose(db: Database, userId: Id, sellerId: Id, choice: Choice): Promise<void> {
  await transaction(db, async db => {
    await cart.lock(db, userId)
    const { parts } = await deliveryOf(db, userId, await cart.orderableLines(db, userId))
    const part = parts.find(part => part.seller_id === sellerId)
    if (!part) throw new Problem(404, NO_SELLER)
    const { note } = choice
    const place = choice.pickup_id == null ? choice.pickup_id : await offeredPlace(db, part, choice.pickup_id)
    await recordChoice(db, userId, sellerId, {
      ...(place === undefined ? {} : { pickup_id: place }),
      ...(note === undefined ? {} : { note }),
    })
  })
}

/** The id under which a part offers a place: profiles of one seller can each have the same one. */
async function offeredPlace(db: Database, part: SellerDelivery<OrderableLine>, id: Id): Promise<Id> {
  const wanted = await db
    .selectFrom('pickup_places as k')
    .innerJoin('postage_profiles as profile', 'profile.id', 'k.profile_id')
    .select('k.place')
    .where('k.id', '=', id)
    .where('profile.seller_id', '=', part.seller_id)
    .executeTakeFirst()
  const offered = wanted && part.pickup_places.find(({ place }) => place === wanted.place)
  // Keeps it from being deleted until the transaction ends.
  const locked =
    offered &&
    (await db
      .selectFrom('pickup_places')
      .select('id')
      .where('id', '=', offered.id)
      .forKeyShare()
      .executeTakeFirst())
  if (!locked)
    throw new Problem(409, `${part.name} does not offer this pick-up place. Please choose another way`)
  return locked.id
}
