import { sql } from 'kysely'
import type { Id } from '#contract'
import { imageColumns, imageDto } from '#images/dto.ts'
import { fromCents } from '#money'
import { type Database, transaction } from '#platform/database/database.ts'
import { isAway } from '#postage/away.ts'
import { awayRefusal } from '#postage/rates.ts'
import { Problem } from '#problem'
import { shortOf, type Units } from '#products/stock.ts'
import { type CartLine, MAX_LINES } from './contract.ts'

/** Lines of a user's cart, oldest first, at most 200. A deleted listing leaves a line without a product. */
export async function lines(db: Database, userId: Id): Promise<CartLine[]> {
  const ofPerson = linesWithProducts(db).where('l.user_id', '=', userId)
  const rows = await ofPerson.orderBy('l.id').limit(MAX_LINES).execute()
  return rows.map(view)
}

function linesWithProducts(db: Database) {
  return (
    db
      .selectFrom('cart_lines as l')
      .innerJoin('products as p', 'p.id', 'l.product_id')
      .innerJoin('stock as s', 's.product_id', 'p.id')
      .leftJoinLateral(
        eb =>
          eb
            .selectFrom('images as i')
            .select(['i.id', ...imageColumns])
            .whereRef('i.product_id', '=', 'p.id')
            .where('i.width', 'is not', null)
            .orderBy('i.id')
            .limit(1)
            .as('i'),
        join => join.onTrue(),
      )
      // Only of sellers on holiday.
      .leftJoin('shops as h', join => join.onRef('h.user_id', '=', 'p.seller_id').on(isAway('h')))
      .leftJoin('users as u', 'u.id', 'h.user_id')
      .select(['h.away_until', 'u.username as seller'])
      .select([
        'l.id',
        'l.quantity',
        'l.added_price_cents',
        'p.id as product_id',
        'p.name',
        'p.price_cents',
        'p.deleted_at',
        's.quantity as stock',
      ])
      .select(['i.id as image_id', ...imageColumns])
  )
}
export type Row = Awaited<ReturnType<ReturnType<typeof linesWithProducts>['executeTakeFirstOrThrow']>>

/** A row as the API returns it. */
export function view({ id, quantity, ...row }: Row): CartLine {
  if (row.deleted_at) return { id, quantity, product: null }
  const { folder, kind, widths, width, height, colour, image_id } = row
  const image =
    folder && kind && widths && image_id
      ? imageDto({ id: image_id, folder, kind, width, height, widths, colour })
      : null
  const { product_id, name, stock, price_cents, added_price_cents, away_until, seller } = row
  const isOther = added_price_cents !== null && added_price_cents !== price_cents
  const prices = {
    price: fromCents(price_cents),
    ...(isOther ? { added_price: fromCents(added_price_cents) } : {}),
  }
  const pictures = { image_url: image?.url ?? null, image_srcset: image?.srcset ?? null }
  const refusal = away_until && seller ? { refusal: awayRefusal(seller, away_until) } : {}
  return { id, quantity, product: { id: product_id, name, ...prices, stock, ...pictures, ...refusal } }
}

/**
 * Sets the quantity of a line.
 * @throws Problem 404 unknown line, 403 someone else's, 409 above the stock or for a deleted listing
 */
export async function update(db: Database, userId: Id, id: Id, quantity: number): Promise<CartLine> {
  await transaction(db, async db => {
    await lock(db, userId)
    const { product_id } = await ownLine(db, userId, id)
    const { name, stock } = await available(db, product_id, 409)
    if (quantity > stock) throw new Problem(409, shortOf(name, stock))
    await db.updateTable('cart_lines').set({ quantity }).where('id', '=', id).execute()
  })
  return find(db, id)
}

/** Deletes a cart line. @throws Problem 404 unknown line, 403 someone else's */
export async function remove(db: Database, userId: Id, id: Id): Promise<void> {
  await transaction(db, async db => {
    await lock(db, userId)
    await ownLine(db, userId, id)
    await db.deleteFrom('cart_lines').where('id', '=', id).execute()
  })
}

/**
 * Locks a user's cart until the transaction ends, and creates it if missing. Everything that takes a cart or changes
 * a line locks it first.
 */
export async function lock(db: Database, userId: Id): Promise<void> {
  await sql`
    insert into carts (user_id) values (${userId}) on conflict (user_id) do update set user_id = excluded.user_id
  `.execute(db)
}

/** Sends a locked cart to an address of its user. @param address null: to none */
export async function sendTo(db: Database, userId: Id, address: Id | null): Promise<void> {
  await db.updateTable('carts').set({ address_id: address }).where('user_id', '=', userId).execute()
}

/** What could be ordered of a cart, with present prices in integer cents, oldest first. Deleted listings are left out. */
export function pieces(db: Database, userId: Id): Promise<(Units & { price_cents: number })[]> {
  return db
    .selectFrom('cart_lines as l')
    .innerJoin('products as p', 'p.id', 'l.product_id')
    .select(['l.product_id', 'l.quantity', 'p.price_cents'])
    .where('l.user_id', '=', userId)
    .where('p.deleted_at', 'is', null)
    .orderBy('l.id')
    .limit(MAX_LINES)
    .execute()
}

/** Contents of a locked cart, by ascending product id. */
export function quantities(db: Database, userId: Id): Promise<Units[]> {
  return db
    .selectFrom('cart_lines')
    .select(['product_id', 'quantity'])
    .where('user_id', '=', userId)
    .orderBy('product_id')
    .execute()
}

/** Empties a locked cart. @returns its lines, by ascending product id */
export async function takeLines(db: Database, userId: Id): Promise<Units[]> {
  const taken = await db
    .deleteFrom('cart_lines')
    .where('user_id', '=', userId)
    .returning(['product_id', 'quantity'])
    .execute()
  return taken.sort((a, b) => a.product_id - b.product_id)
}

async function find(db: Database, id: Id): Promise<CartLine> {
  const row = await linesWithProducts(db).where('l.id', '=', id).executeTakeFirst()
  if (!row) throw noLine()
  return view(row)
}

/** The user's own cart line. @throws Problem 404 unknown line, 403 someone else's */
export async function ownLine(db: Database, userId: Id, id: Id): Promise<{ product_id: Id }> {
  const line = await db
    .selectFrom('cart_lines')
    .select(['user_id', 'product_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!line) throw noLine()
  if (line.user_id !== userId) throw new Problem(403, 'This is not your cart')
  return line
}

/** Name and stock of a listing. @param missingStatus of the Problem if it is deleted or unknown */
export async function available(
  db: Database,
  productId: Id,
  missingStatus: 404 | 409 = 404,
): Promise<{ name: string; stock: number }> {
  const product = await db
    .selectFrom('products as p')
    .innerJoin('stock as s', 's.product_id', 'p.id')
    .select(['p.name', 's.quantity as stock', 'p.deleted_at'])
    .where('p.id', '=', productId)
    .executeTakeFirst()
  if (!product || product.deleted_at) throw new Problem(missingStatus, 'There is no such listing')
  return product
}

const noLine = () => new Problem(404, 'There is no such item in your cart')
