import * as z from 'zod/mini'
import { requiredNumber, text } from '#contract'
import { isWholeCents } from '#money'
import { CATEGORIES } from './categories.ts'

// What every listing needs. Part of the contract.

export const MAX_PRICE = 999_999.99
export const MAX_STOCK = 1_000_000
export const NAME_LENGTH = 50
export const DESCRIPTION_LENGTH = 255

const Category = text('Category', {
  required: 'Category is required',
  max: [50, 'Category cannot be more than 50 characters'],
}).check(
  z.refine(
    value => (CATEGORIES as readonly string[]).includes(value),
    `Category must be one of: ${CATEGORIES.join(', ')}`,
  ),
)

export const MANY_DECIMALS = 'Price cannot have more than two decimals'
/** '1.000' is a thousand in some countries, and one in others. */
export const STOCK_SEPARATOR = 'Stock must be a whole number, without separators'
/** The rule for a price. */
export const price = requiredNumber('Price is required', 'Price must be a number').check(
  z.positive({ error: 'Price must be a positive number', abort: true }),
  z.maximum(MAX_PRICE, { error: 'Price cannot be more than 999,999.99', abort: true }),
  z.refine(isWholeCents, MANY_DECIMALS),
)

export const NO_STOCK = 'Stock must be a positive number'
export const TOO_MUCH_STOCK = 'Stock cannot be more than 1,000,000'
/** The rule for a number of pieces. @param minimum the least, and its message */
export const stock = (minimum: ReturnType<typeof z.positive>) =>
  requiredNumber('Stock is required', 'Stock must be a number').check(
    minimum,
    z.maximum(MAX_STOCK, { error: TOO_MUCH_STOCK, abort: true }),
    z.refine(Number.isInteger, 'Stock must be a whole number'),
  )

/** What every listing needs. */
export const RequiredFields = z.object({
  name: text('Name', {
    required: 'Name is required',
    max: [NAME_LENGTH, `Name cannot be more than ${NAME_LENGTH} characters`],
  }),
  category: Category,
  description: text('Description', {
    required: 'Description is required',
    max: [DESCRIPTION_LENGTH, `Description cannot be more than ${DESCRIPTION_LENGTH} characters`],
  }),
  price,
  stock: stock(z.positive({ error: NO_STOCK, abort: true })),
})
export type RequiredFields = z.infer<typeof RequiredFields>

export const MAX_HANDLING_DAYS = 180
/** As the column has it. */
export const USUAL_HANDLING_DAYS = 3
const WRONG_DAYS = `Days until it is ready must be a whole number from 1 to ${MAX_HANDLING_DAYS}`
/** How a listing is sent. What is left out stays as it is; in a new listing it is as said here. */
export const Handling = z.object({
  /** One of the seller's own; null, and in a new listing: their default one. */
  postage_profile_id: z.optional(
    z.nullable(z.int('Postage must be the id of a profile').check(z.positive())),
  ),
  /** In a new listing false. */
  made_to_order: z.optional(z.boolean('Made to order must be true or false')),
  /** Most days until it is ready to send; in a new listing 3. */
  handling_days: z.optional(
    z.int(WRONG_DAYS).check(z.minimum(1, WRONG_DAYS), z.maximum(MAX_HANDLING_DAYS, WRONG_DAYS)),
  ),
})
export type Handling = z.infer<typeof Handling>
