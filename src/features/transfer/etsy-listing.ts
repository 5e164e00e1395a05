/** Prices of the shop are in it. */
export const CURRENCY = 'USD'

/** A listing as a row of Etsy's file has it. Texts are trimmed, with `\n` as line end. */
export interface EtsyListing {
  title: string
  description: string
  /** Null where the cell is empty. */
  price_cents: number | null
  /** Three capital letters. */
  currency: string
  /** Null where the cell is empty. The sum of all variations. */
  quantity: number | null
  /** With blanks, where the file has underscores. */
  tags: string[]
  materials: string[]
  /** Addresses of up to 10 pictures, the cover first. */
  images: string[]
  variations: Variation[]
  /** In no order: the file does not say which variation has which. */
  skus: string[]
}

/** A group of variations. */
export interface Variation {
  /** Etsy's name of the property: `Custom Property`. */
  type: string
  /** What shoppers see: `Size`. */
  name: string
  values: string[]
}

/** Most characters of a cell, by column. Above them something is wrong with the file: Etsy allows far less. */
const LISTING = {
  TITLE: 1_000,
  DESCRIPTION: 50_000,
  PRICE: 20,
  CURRENCY_CODE: 20,
  QUANTITY: 20,
  TAGS: 1_000,
  MATERIALS: 2_000,
}
const SKUS = 20_000
export const MAX_IMAGES = 10
const IMAGE = 1_000
const GROUP = { TYPE: 200, NAME: 200, VALUES: 10_000 }

/** Position of the first picture. */
export const IMAGE1 = Object.keys(LISTING).length
/** Position of the first group of variations. */
export const VARIATION1 = IMAGE1 + MAX_IMAGES
/** Columns of a group. */
export const GROUP_COLUMNS = Object.keys(GROUP).length
export const CURRENCY_COLUMN = Object.keys(LISTING).indexOf('CURRENCY_CODE')

/** The columns of a file in their order, with the most characters of a cell. @param groups of variations */
export function columnsOf(groups: 2 | 3): { name: string; max: number }[] {
  const images = Array.from({ length: MAX_IMAGES }, (_, index) => [`IMAGE${index + 1}`, IMAGE] as const)
  const variations = Array.from({ length: groups }, (_, index) =>
    Object.entries(GROUP).map(([part, max]) => [`VARIATION ${index + 1} ${part}`, max] as const),
  )
  const columns = [...Object.entries(LISTING), ...images, ...variations.flat(), ['SKU', SKUS] as const]
  return columns.map(([name, max]) => ({ name, max }))
}
