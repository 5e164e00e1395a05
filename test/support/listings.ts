import { ListingDraft } from '#products/contract.ts'
import { filled } from './text-fields.ts'

/** A valid listing with a value in every field. */
export const aMug: Required<ListingDraft> = {
  name: 'Speckled mug',
  category: 'Home & Living',
  description: 'Stoneware, holds 300 ml.',
  price: 24.5,
  stock: 5,
}

/** The labels of the listing form. */
export const labels: Record<keyof ListingDraft, string> = {
  name: 'Name',
  category: 'Category',
  description: 'Description',
  price: 'Price',
  stock: 'Stock',
}

/** The mug with other texts. @param textOf is given the name of each text field and its greatest length */
export const mugSaying = (textOf: (field: string, max: number) => string): typeof aMug => ({
  ...aMug,
  ...filled(ListingDraft, textOf),
})
