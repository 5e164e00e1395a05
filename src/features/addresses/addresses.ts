import type { Id } from '#contract'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { type Address, type AddressInput, MAX_ADDRESSES, savedAlready, TOO_MANY } from './contract.ts'

/** The cart of a user. It belongs to a later feature, which `feature-routes.ts` passes in. */
export interface Cart {
  /** Locks it until the transaction ends, so that a checkout never sees half of a change. */
  lock(db: Database, userId: Id): Promise<void>
  /** Chooses the address that the cart is sent to. Null for none. */
  setAddress(db: Database, userId: Id, address: Id | null): Promise<void>
}

const columns = ['id', 'name', 'line1', 'line2', 'city', 'region', 'postal_code', 'country'] as const

/** Addresses of a user, oldest first. */
export const list = (db: Database, userId: Id): Promise<Address[]> =>
  db
    .selectFrom('addresses')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(MAX_ADDRESSES)
    .execute()

/**
 * Saves an address, and sends the cart there. With a repeated idempotency key it changes the first one.
 * @throws Problem 409 for too many, 422 for a repeated key with another name or street
 */
export function add(
  db: Database,
  cart: Cart,
  userId: Id,
  input: AddressInput,
  key: string | undefined,
): Promise<Address> {
  return transaction(db, async db => {
    // With the lock, the number of addresses is final.
    await cart.lock(db, userId)
    const first = key === undefined ? undefined : await savedWith(db, userId, key)
    if (first && (first.name !== input.name || first.line1 !== input.line1))
      throw new Problem(422, savedAlready(first))
    const { count } = await db
      .selectFrom('addresses')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    if (first === undefined && count >= MAX_ADDRESSES) throw new Problem(409, TOO_MANY)
    const address =
      first === undefined
        ? await db
            .insertInto('addresses')
            .values({ ...input, user_id: userId, key: key ?? null })
            .returning(columns)
            .executeTakeFirstOrThrow()
        : await change(db, userId, first.id, input)
    await cart.setAddress(db, userId, address.id)
    return address
  })
}

const savedWith = (db: Database, userId: Id, key: string) =>
  db
    .selectFrom('addresses')
    .select(['id', 'name', 'line1'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()

/** Replaces an address. Orders have copies, which stay. @throws Problem 404 unknown or someone else's */
export function update(db: Database, cart: Cart, userId: Id, id: Id, input: AddressInput): Promise<Address> {
  return transaction(db, async db => {
    await cart.lock(db, userId)
    return change(db, userId, id, input)
  })
}

async function change(db: Database, userId: Id, id: Id, input: AddressInput): Promise<Address> {
  const address = await db
    .updateTable('addresses')
    .set(input)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(columns)
    .executeTakeFirst()
  if (!address) throw missing()
  return address
}

/**
 * Deletes an address. A cart that was sent there is sent to the newest one that is left.
 * @throws Problem 404 unknown or someone else's
 */
export async function remove(db: Database, cart: Cart, userId: Id, id: Id): Promise<void> {
  await transaction(db, async db => {
    await cart.lock(db, userId)
    const chosen = await db
      .selectFrom('carts')
      .select('address_id')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    const removed = await db
      .deleteFrom('addresses')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst()
    if (!removed) throw missing()
    if (chosen?.address_id === id) await cart.setAddress(db, userId, (await newest(db, userId)) ?? null)
  })
}

async function newest(db: Database, userId: Id): Promise<Id | undefined> {
  const row = await db
    .selectFrom('addresses')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** @throws Problem 404 unless it is the user's address */
export async function requireOwn(db: Database, userId: Id, id: Id): Promise<void> {
  const own = await db
    .selectFrom('addresses')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!own) throw missing()
}

/** Before a user is deleted: deletes their addresses. */
export async function erase(db: Database, userId: Id): Promise<void> {
  await db.deleteFrom('addresses').where('user_id', '=', userId).execute()
}

const missing = () => new Problem(404, 'There is no such address')
