import * as z from 'zod/mini'
import { defineCalls, Id, idempotent, ListQuery, Money, text } from '#contract'
import { Image } from '#images/contract.ts'
import { isWholeCents } from '#money'
import { Details } from './details-contract.ts'
import { MANY_DECIMALS, MAX_PRICE, MAX_STOCK, RequiredFields } from './fields-contract.ts'

// Your Listings: what it shows, and how many listings are changed at once.

/** Listings of one bulk edit. */
export const MAX_BULK = 500

/** Orders of Your Listings: newest; fewest left; by price. */
export const SHELF_SORTS = ['newest', 'stock', 'price_asc', 'price_desc'] as const

const SEARCH_LENGTH = 100
const Filter = {
  /** A part of the name or title, without regard to case or accents. */
  name: z.optional(
    text('Name', {
      required: 'Name is required',
      max: [SEARCH_LENGTH, `Name cannot be more than ${SEARCH_LENGTH} characters`],
    }),
  ),
}

const flag = (name: string) =>
  z.optional(
    z.pipe(
      z.enum(['true', 'false'], `${name} must be true or false`),
      z.transform(value => value === 'true'),
    ),
  )
export const ShelfQuery = z.extend(ListQuery, {
  ...Filter,
  /** The retired ones instead of those for sale. */
  retired: flag('Retired'),
  /** Only those without stock. */
  sold_out: flag('Sold out'),
  sort: z.optional(z.enum(SHELF_SORTS, `Sort must be one of: ${SHELF_SORTS.join(', ')}`)),
})
export type ShelfQuery = z.infer<typeof ShelfQuery>

export const CHANGES = [
  'price_set',
  'price_percent',
  'price_amount',
  'stock_set',
  'stock_add',
  'section',
  'tags_add',
  'tags_remove',
  'retire',
  'restore',
] as const
export type Change = (typeof CHANGES)[number]

const MAX_PERCENT = 1_000
const within = (value: number, least: number, most: number) => value >= least && value <= most

/** Message for an invalid number of a change. Undefined if it is valid. */
const amountProblem: { [C in Change]?: (amount: number | undefined) => string | undefined } = {
  price_set: amount => RequiredFields.shape.price.safeParse(amount).error?.issues[0]?.message,
  price_percent(amount) {
    if (amount === undefined || amount === 0 || !within(amount, -99, MAX_PERCENT))
      return 'Percent must be from -99 to 1,000, and not 0'
    return isWholeCents(amount) ? undefined : 'Percent cannot have more than two decimals'
  },
  price_amount(amount) {
    if (amount === undefined || amount === 0 || !within(amount, -MAX_PRICE, MAX_PRICE))
      return 'Amount must be from -999,999.99 to 999,999.99, and not 0'
    return isWholeCents(amount) ? undefined : MANY_DECIMALS
  },
  stock_set: amount => RequiredFields.shape.stock.safeParse(amount).error?.issues[0]?.message,
  stock_add: amount =>
    amount === undefined || !Number.isInteger(amount) || !within(amount, 1, MAX_STOCK)
      ? 'Pieces to add must be a whole number from 1 to 1,000,000'
      : undefined,
}
const areTags = (change: Change) => change === 'tags_add' || change === 'tags_remove'

const ChangeFields = z.object({
  change: z.enum(CHANGES, `Change must be one of: ${CHANGES.join(', ')}`),
  /** The price or stock, the amount or pieces to add, or percent. */
  amount: z.optional(z.number('Amount must be a number')),
  /** To add or remove. */
  tags: Details.shape.tags,
  /** One of the seller's own. Null without one. */
  section_id: Details.shape.section_id,
})
/** One change of many listings. */
export type BulkChange = z.infer<typeof ChangeFields>

/** Each kind of change with what it needs. */
const complete = z.check<BulkChange>(({ value, issues }) => {
  const { change, amount, tags, section_id } = value
  const wrong = (path: string, message: string | undefined) =>
    message && issues.push({ code: 'custom', path: [path], message, input: value })
  const problem = amountProblem[change]
  if (problem) wrong('amount', problem(amount))
  else if (amount !== undefined) wrong('amount', 'This change takes no amount')
  if (areTags(change) && !tags?.length) wrong('tags', 'Tags are required')
  if (change === 'section' && section_id === undefined) wrong('section_id', 'Section is required')
})

const TOO_MANY = `At most ${MAX_BULK} pieces can be changed at once`
export const NONE_CHOSEN = 'Choose at least one piece'
export const BulkPreview = z
  .extend(ChangeFields, {
    ids: z.optional(
      z
        .array(Id, 'Ids must be a list of ids')
        .check(z.minLength(1, NONE_CHOSEN), z.maxLength(MAX_BULK, TOO_MANY)),
    ),
    /** Instead of ids: all that match and are for sale, or that are retired where they are to be restored. */
    matching: z.optional(
      z.strictObject(
        { ...Filter, sold_out: z.optional(z.boolean('Sold out must be true or false')) },
        'Matching may have a name and sold_out, and nothing else',
      ),
    ),
  })
  .check(
    complete,
    z.refine(({ ids, matching }) => (ids === undefined) !== (matching === undefined), {
      error: NONE_CHOSEN,
      path: ['ids'],
    }),
  )
export type BulkPreview = z.infer<typeof BulkPreview>

/** What a bulk edit can change of a listing. */
const Values = z.object({
  /** With variations: their lowest price. */
  price: Money,
  /** With variations: their highest price. */
  price_to: Money,
  /** With variations: the sum. */
  stock: z.number(),
  /** How many combinations are for sale; 0: it has no variations. */
  combinations: z.number(),
  /** Name of its section. */
  section: z.nullable(z.string()),
  tags: z.array(z.string()),
  retired: z.boolean(),
})
export type Values = z.infer<typeof Values>

const Previewed = z.object({
  rows: z.array(
    z.object({
      id: Id,
      /** Null where it is not a listing of the user for sale, as are version and before. */
      name: z.nullable(z.string()),
      image: z.nullable(Image),
      version: z.nullable(z.number()),
      before: z.nullable(Values),
      /** Null where the change is refused. */
      after: z.nullable(Values),
      /** Why the change is refused. Null if it is not. */
      problem: z.nullable(z.string()),
    }),
  ),
})
export type Previewed = z.infer<typeof Previewed>

const ShownPrice = z.number('Price must be a number').check(z.refine(isWholeCents, MANY_DECIMALS))
/** A listing of a bulk edit as its seller saw it. */
const Seen = z.object({
  id: Id,
  version: z.int('Version must be a whole number').check(z.positive('Version must be a whole number')),
  price: ShownPrice,
  /** The highest price of its combinations; left out: what it is now. */
  price_to: z.optional(ShownPrice),
  stock: z.int('Stock must be a whole number').check(z.nonnegative('Stock must be 0 or more')),
})
export type Seen = z.infer<typeof Seen>

const Bulk = z
  .extend(ChangeFields, {
    rows: z
      .array(Seen, 'Rows must be a list of pieces as they were shown')
      .check(z.minLength(1, NONE_CHOSEN), z.maxLength(MAX_BULK, TOO_MANY)),
  })
  .check(complete)
export type Bulk = z.infer<typeof Bulk>

const BulkResult = z.object({
  /** The name is null where it is not a listing of the user. */
  results: z.array(
    z.object({ id: Id, name: z.nullable(z.string()), done: z.boolean(), message: z.string() }),
  ),
})
export type BulkResult = z.infer<typeof BulkResult>

export const bulkCalls = defineCalls({
  'POST /api/products/bulk/preview': {
    summary: 'What a bulk edit would change, listing by listing. Changes nothing',
    body: BulkPreview,
    response: Previewed,
  },
  'POST /api/products/bulk': {
    summary:
      'Change many listings as shown. One that was changed meanwhile is refused; what was sold meanwhile stays sold',
    headers: idempotent('Names this edit. The same key again changes nothing twice, and does what was left.'),
    body: Bulk,
    response: BulkResult,
    cost: 20,
  },
})
