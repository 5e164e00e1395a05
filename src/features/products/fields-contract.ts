import * as z from 'zod/mini'
import { requiredNumber, text } from '#contract'
import { hasCents } from '#money'
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
/** The rule for a price. */
export const price = requiredNumber('Price is required', 'Price must be a number').check(
  z.positive({ error: 'Price must be a positive number', abort: true }),
  z.maximum(MAX_PRICE, { error: 'Price cannot be more than 999,999.99', abort: true }),
  z.refine(hasCents, MANY_DECIMALS),
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
