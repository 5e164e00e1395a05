import * as z from 'zod/mini'
import { Id, Money, optionalText } from '#contract'
import { MAX_IMAGES } from '#images/contract.ts'
import { BETWEEN_OPTIONS } from './combination-name.ts'
import { MAX_STOCK, price, stock, TOO_MUCH_STOCK } from './fields-contract.ts'
import { line, QUESTION_LENGTH } from './questions-contract.ts'

// What a listing can be chosen in: sizes, colours. A shopper answers each variation as a question, and the answers name one
// combination of options, which has a price and a stock of its own.

export const MAX_VARIATIONS = 2
export const MAX_VARIATION_OPTIONS = 70
export const MAX_COMBINATIONS = 400
export const VARIATION_OPTION_LENGTH = 40
const SKU_LENGTH = 32
/**
 * Largest JSON of a listing, bytes: 400 combinations of two options, all texts as long as they can be, of four-byte
 * characters.
 */
export const LISTING_BYTES = 320 * 1024
const OPTIONS = `Options must be a list of 1 to ${MAX_VARIATION_OPTIONS} different ones`
const isDistinct = (texts: string[]): boolean => new Set(texts).size === texts.length

/** A variation, as a maker writes it: 'Size' with its options. */
export const NewVariation = z.object({
  title: line('Variation', 'Variation is required', QUESTION_LENGTH),
  options: z
    .array(
      line('Option', 'An option must be a text', VARIATION_OPTION_LENGTH).check(
        z.refine(
          // At an end it would belong to the text between two options.
          option => !` ${option} `.includes(BETWEEN_OPTIONS),
          'An option cannot begin or end with “·”, or have it between blanks',
        ),
      ),
      OPTIONS,
    )
    .check(
      z.minLength(1, OPTIONS),
      z.maxLength(MAX_VARIATION_OPTIONS, OPTIONS),
      z.refine(isDistinct, OPTIONS),
    ),
})

const WRONG_PHOTO = `Photo must be a whole number from 1 to ${MAX_IMAGES}`
const wrongStockShown = 'Stock shown must be a whole number, 0 or more'
/** A combination, as a maker writes it. */
export const NewCombination = z.object({
  /** One of each variation, in their order. */
  options: z.array(z.string()),
  price,
  /** 0: sold out. */
  stock: stock(z.nonnegative('Stock must be a whole number, 0 or more')),
  /** The stock that the maker saw: only the difference is applied, so that sales since then stay. */
  stock_shown: z.optional(z.int(wrongStockShown).check(z.nonnegative(wrongStockShown))),
  /** The maker's own number of it. */
  sku: z.prefault(optionalText('SKU', SKU_LENGTH), ''),
  /** Which photo of the listing shows it: its place among them, from 1. Null: none of its own. */
  photo: z.optional(
    z.nullable(z.int(WRONG_PHOTO).check(z.minimum(1, WRONG_PHOTO), z.maximum(MAX_IMAGES, WRONG_PHOTO))),
  ),
})
export type NewCombination = z.infer<typeof NewCombination>

const VARIATIONS = `A listing has at most ${MAX_VARIATIONS} variations`
const SAME = 'Variations must have different names'
const COMBINATIONS = `A listing has at most ${MAX_COMBINATIONS} combinations`
const MISFIT = 'Each combination must have one option of each variation, and none can be given twice'
const TOO_FEW = 'Variations need a combination that is for sale'

/**
 * The variations of a listing, as its maker writes them. Combinations that are left out are not for sale. Without variations, and
 * without combinations, the listing is one piece with its own price and stock.
 */
export const NewVariations = z
  .object({
    variations: z.array(NewVariation, VARIATIONS).check(
      z.maxLength(MAX_VARIATIONS, VARIATIONS),
      z.refine(all => isDistinct(all.map(({ title }) => title)), SAME),
    ),
    combinations: z.array(NewCombination, COMBINATIONS).check(z.maxLength(MAX_COMBINATIONS, COMBINATIONS)),
  })
  .check(
    z.refine(({ variations, combinations }) => variations.length > 0 === combinations.length > 0, TOO_FEW),
    z.refine(
      ({ variations, combinations }) =>
        isDistinct(combinations.map(({ options }) => JSON.stringify(options))) &&
        combinations.every(
          ({ options }) =>
            options.length === variations.length &&
            options.every((option, n) => variations[n]?.options.includes(option)),
        ),
      MISFIT,
    ),
    z.refine(
      ({ combinations }) => combinations.reduce((sum, { stock }) => sum + stock, 0) <= MAX_STOCK,
      TOO_MUCH_STOCK,
    ),
  )
export type NewVariations = z.infer<typeof NewVariations>

const Combination = z.object({
  options: z.array(z.string()),
  price: Money,
  stock: z.number(),
  /** '' without. */
  sku: z.string(),
  photo: z.prefault(z.nullable(z.int().check(z.minimum(1), z.maximum(MAX_IMAGES))), null),
})
const variations = z.array(z.object({ title: z.string(), options: z.array(z.string()) }))
/** Variations that are not those of a saved listing: their combinations have no ids. */
export const WrittenVariations = z.object({ variations, combinations: z.array(Combination) })
export type WrittenVariations = z.infer<typeof WrittenVariations>
/** The variations of a listing. */
export const Variations = z.object({ variations, combinations: z.array(z.extend(Combination, { id: Id })) })
export type Variations = z.infer<typeof Variations>

/** Every combination of options, of those that can be accepted: a text could have thousands. */
export const combinationsOf = (variations: { options: string[] }[]): string[][] =>
  variations.reduce<string[][]>(
    (all, { options }) => {
      const accepted = options.slice(0, MAX_VARIATION_OPTIONS)
      return all.flatMap(before => accepted.map(option => [...before, option]))
    },
    [[]],
  )
