import { RequiredFields } from '#products/contract.ts'
import type { Details } from '#products/details-contract.ts'
import type { Person, TestResponse } from './person.ts'
import { filled } from './text-fields.ts'

/** A valid listing with a value in every required field. */
export const aMug: RequiredFields = {
  name: 'Speckled mug',
  category: 'Home & Living',
  description: 'Stoneware, holds 300 ml.',
  price: 24.5,
  stock: 5,
}

/** A value in every other field but the section, and the variations, with which it would have another price and stock. */
export const itsDetails: Required<Omit<Details, 'section_id' | 'variations'>> = {
  title: 'Speckled mug with a round handle, thrown by hand',
  story: 'Thrown on a kick wheel.\n\n- glazed twice\n- fired with wood',
  tags: ['tea mug', 'wood fired'],
  materials: ['Stoneware', 'Ash glaze'],
  weight_grams: 340,
  dimensions: { length_mm: 125, width_mm: 84, height_mm: 96 },
  safety: 'Hot glass.\nNot for children under 3.',
  manufacturer: 'Kiln Works\nHill 4, 1000 Ljubljana, Slovenia\nkiln@works.example',
  questions: [
    { title: 'Name on the mug', instructions: 'At most two words', required: true, max_length: 20 },
    { title: 'Colour', instructions: '', required: false, options: ['Blue', 'Green'] },
  ],
}

/** The labels of the listing form. */
export const labels: Record<keyof RequiredFields, string> = {
  name: 'Name',
  category: 'Category',
  description: 'Description',
  price: 'Price',
  stock: 'Stock',
}

/** The mug with other texts. @param textOf is given the name of each text field and its greatest length */
export const mugSaying = (textOf: (field: string, max: number) => string): typeof aMug => ({
  ...aMug,
  ...filled(RequiredFields, textOf),
})

/** Two variations, two combinations of the first, and a listing's variations of these. */
export const sizes = { title: 'Size', options: ['Small', 'Large'] }
export const colours = { title: 'Colour', options: ['Red', 'Blue'] }
export const small = { options: ['Small'], price: 12, stock: 2, sku: 'MUG-S', photo: null }
export const large = { options: ['Large'], price: 18.5, stock: 3, sku: '', photo: null }
export const varied = { variations: [sizes], combinations: [small, large] }

/** Adds a size of such a listing to a cart. */
export const addSize = (person: Person, id: number, size: string, quantity = 1): Promise<TestResponse> =>
  person.post(`/api/cart_items/add/${id}`, { quantity, answers: [{ question: 'Size', answer: size }] })

/** Units in stock of each combination of a listing. */
export async function stocksOf(person: Person, id: number): Promise<number[]> {
  const { variations } = (await person.get(`/api/products/${id}/details`)).body
  return variations.combinations.map(({ stock }: { stock: number }) => stock)
}

/** A piece in two sizes and two glazes, of which one combination is sold out and one is not made. */
export const glazedSizes = {
  variations: [
    { title: 'Size', options: ['Small', 'Large'] },
    { title: 'Glaze', options: ['Red', 'Blue'] },
  ],
  combinations: [
    { options: ['Small', 'Red'], price: 12, stock: 1, sku: '' },
    { options: ['Small', 'Blue'], price: 12, stock: 0, sku: '' },
    { options: ['Large', 'Blue'], price: 18.5, stock: 4, sku: '' },
  ],
}
