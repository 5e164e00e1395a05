import { type RawBuilder, sql } from 'kysely'
import type { Id } from '#contract'
import { imageColumns, imageDto, photoOrder } from '#images/dto.ts'
import { fromCents } from '#money'
import { type Database, transaction } from '#platform/database/database.ts'
import { isAway } from '#postage/away.ts'
import { awayRefusal } from '#postage/rates.ts'
import { Problem } from '#problem'
import { changedQuestions } from '#products/answer-rules.ts'
import { makerName } from '#products/maker-name.ts'
import type { Answer } from '#products/questions-contract.ts'
import type { Units } from '#products/stock.ts'
import { isVaried, questionsSql } from '#products/variants.ts'
import { shortOf } from '#products/variation-text.ts'
import { alreadyHeld, heldOf } from './answers.ts'
import { type CartLine, MAX_LINES } from './contract.ts'
import { isItemPhoto, itemPrice, itemStock } from './stock-item.ts'

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
      .leftJoin('variants as v', 'v.id', 'l.variant_id')
      .leftJoinLateral(
        eb =>
          eb
            .selectFrom('images as i')
            .select(['i.id', ...imageColumns])
            .whereRef('i.product_id', '=', 'p.id')
            .where('i.width', 'is not', null)
            .orderBy(isItemPhoto, 'desc')
            .orderBy(photoOrder)
            .limit(1)
            .as('i'),
        join => join.onTrue(),
      )
      // Joins a row only while the seller is on holiday.
      .leftJoin('shops as m', join => join.onRef('m.user_id', '=', 'p.seller_id').on(isAway('m')))
      .leftJoin('users as u', 'u.id', 'm.user_id')
      .select(['m.away_until', makerName.as('seller'), 'l.id', 'l.quantity', 'v.options'])
      .select([
        'l.added_price_cents',
        'l.answers',
        'l.variant_id',
        'p.id as product_id',
        'p.name',
        'p.deleted_at',
        questionsSql.as('questions'),
        isVaried.as('is_varied'),
        itemPrice.as('price_cents'),
        itemStock(sql`l.variant_id`).as('stock'),
      ])
      .select(['i.id as image_id', ...imageColumns])
  )
}
export type Row = Awaited<ReturnType<ReturnType<typeof linesWithProducts>['executeTakeFirstOrThrow']>>

/** A row as the API returns it. */
export function view({ id, quantity, ...row }: Row): CartLine {
  const answers = row.answers as Answer[]
  const line = { id, quantity, ...(answers.length > 0 ? { answers } : {}) }
  if (row.deleted_at) return { ...line, product: null }
  const { folder, kind, widths, width, height, colour, alt, image_id } = row
  const image =
    folder && kind && widths && image_id && alt !== null
      ? imageDto({ id: image_id, folder, kind, width, height, widths, colour, alt })
      : null
  const { product_id, variant_id, name, stock, price_cents, added_price_cents, away_until, seller } = row
  const isOther = added_price_cents !== null && added_price_cents !== price_cents
  const prices = {
    price: fromCents(price_cents),
    ...(isOther ? { added_price: fromCents(added_price_cents) } : {}),
  }
  const pictures = { image_url: image?.url ?? null, image_srcset: image?.srcset ?? null }
  const away = away_until && seller && awayRefusal(seller, away_until)
  const refusal = away || changedQuestions(name, row, { answers, variant_id })
  return {
    ...line,
    product: {
      ...{ id: product_id, name, ...prices, stock, ...pictures },
      ...(variant_id === null ? {} : { variant_id }),
      ...(refusal ? { refusal } : {}),
    },
  }
}

/**
 * Sets the quantity of a line.
 * @throws Problem 404 unknown line, 403 someone else's, 409 above the stock or for a deleted listing
 */
export async function update(db: Database, userId: Id, id: Id, quantity: number): Promise<CartLine> {
  await transaction(db, async db => {
    await lock(db, userId)
    const line = await ownLine(db, userId, id)
    const { name, options, stock, deleted_at } = await rowOf(db, id)
    if (deleted_at) throw new Problem(409, 'There is no such listing')
    const { elsewhere } = await heldOf(db, userId, line)
    if (quantity > stock) throw new Problem(409, shortOf(name, options, stock))
    // A decrease is accepted even while all lines together still exceed the stock.
    if (quantity >= line.quantity && quantity + elsewhere > stock)
      throw new Problem(409, alreadyHeld(name, elsewhere, stock))
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
 * a line locks it first. @param settings SQL that makes settings of the transaction with it
 */
export async function lock(db: Database, userId: Id, settings: RawBuilder<unknown> = sql`null`) {
  await sql`
    insert into carts (user_id) values (${userId}) on conflict (user_id) do update set user_id = excluded.user_id
    returning ${settings}
  `.execute(db)
}

/** Sets the delivery address of a locked cart. @param address null for none */
export async function setAddress(db: Database, userId: Id, address: Id | null): Promise<void> {
  await db.updateTable('carts').set({ address_id: address }).where('user_id', '=', userId).execute()
}

/** A cart line, as a checkout takes it. */
export interface OrderedLine extends Units {
  /** Id of the cart line. */
  id: Id
  answers: Answer[]
}

/** A line that could be ordered, with the present price in integer cents. */
export interface OrderableLine extends OrderedLine {
  price_cents: number
  /** Why it cannot be ordered. Undefined if it can. */
  refusal: string | undefined
}

/** Lines of a cart with their present price and refusal, oldest first. Without deleted listings. */
export async function orderableLines(db: Database, userId: Id): Promise<OrderableLine[]> {
  const rows = await db
    .selectFrom('cart_lines as l')
    .innerJoin('products as p', 'p.id', 'l.product_id')
    .leftJoin('variants as v', 'v.id', 'l.variant_id')
    .select(['l.id', 'l.product_id', 'l.variant_id', 'l.quantity', 'l.answers', 'p.name'])
    .select([questionsSql.as('questions'), isVaried.as('is_varied'), itemPrice.as('price_cents')])
    .where('l.user_id', '=', userId)
    .where('p.deleted_at', 'is', null)
    .orderBy('l.id')
    .limit(MAX_LINES)
    .execute()
  return rows.map(({ name, questions, is_varied, ...row }) => {
    const line = { ...row, answers: row.answers as Answer[] }
    return { ...line, refusal: changedQuestions(name, { questions, is_varied }, line) }
  })
}

/** Contents of a locked cart, by ascending product id. */
export function quantities(db: Database, userId: Id): Promise<(Units & { answers_digest: string })[]> {
  return db
    .selectFrom('cart_lines')
    .select(['product_id', 'variant_id', 'quantity', 'answers_digest'])
    .where('user_id', '=', userId)
    .orderBy('product_id')
    .execute()
}

/** Empties a locked cart. @returns its lines, by ascending product id, then oldest first */
export async function takeLines(db: Database, userId: Id): Promise<OrderedLine[]> {
  const taken = await db
    .deleteFrom('cart_lines')
    .where('user_id', '=', userId)
    .returning(['id', 'product_id', 'variant_id', 'quantity', 'answers'])
    .execute()
  return taken
    .map(row => ({ ...row, answers: row.answers as Answer[] }))
    .sort((a, b) => a.product_id - b.product_id || a.id - b.id)
}

async function find(db: Database, id: Id): Promise<CartLine> {
  return view(await rowOf(db, id))
}

async function rowOf(db: Database, id: Id): Promise<Row> {
  const row = await linesWithProducts(db).where('l.id', '=', id).executeTakeFirst()
  if (!row) throw noLine()
  return row
}

type OwnLine = { product_id: Id; variant_id: Id | null; answers_digest: string; quantity: number }

/** The user's own cart line. @throws Problem 404 unknown line, 403 someone else's */
export async function ownLine(db: Database, userId: Id, id: Id): Promise<OwnLine> {
  const line = await db
    .selectFrom('cart_lines')
    .select(['user_id', 'product_id', 'variant_id', 'answers_digest', 'quantity'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!line) throw noLine()
  if (line.user_id !== userId) throw new Problem(403, 'This is not your cart')
  return line
}

const noLine = () => new Problem(404, 'There is no such item in your cart')
