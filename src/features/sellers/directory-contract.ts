import * as z from 'zod/mini'
import { defineCalls, Id, ListQuery, text } from '#contract'
import { Image } from '#images/contract.ts'
import { CATEGORIES } from '#products/categories.ts'

export const QUERY_LENGTH = 100

const words = (label: string) =>
  text(label, {
    required: `${label} needs at least one character`,
    max: [QUERY_LENGTH, `${label} cannot be more than ${QUERY_LENGTH} characters`],
  })

/** Filters, all optional: beginnings of words of the name and of the place, and a category with listings of the maker. */
export const MakersQuery = z.extend(ListQuery, {
  q: z.optional(words('Name')),
  place: z.optional(words('Place')),
  category: z.optional(z.enum(CATEGORIES, `Category must be one of: ${CATEGORIES.join(', ')}`)),
})
export type MakersQuery = z.infer<typeof MakersQuery>

/** A maker in the directory. */
export const Maker = z.object({
  id: Id,
  username: z.string(),
  /** As on cards: first and last name, or the name of the shop, or the username. */
  display_name: z.string(),
  /** The name of the shop, '' if it has none. */
  name: z.string(),
  place: z.string(),
  words: z.string(),
  picture: z.nullable(Image),
})
export type Maker = z.infer<typeof Maker>

export const MakersPage = z.object({ makers: z.array(Maker), next_cursor: z.nullable(z.string()) })
export type MakersPage = z.infer<typeof MakersPage>

export const directoryCalls = defineCalls({
  'GET /api/makers': {
    summary: 'Makers with something for sale, the newest first; filtered by name, place and category',
    visibility: 'public',
    query: MakersQuery,
    response: MakersPage,
  },
})
