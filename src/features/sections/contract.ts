import * as z from 'zod/mini'
import { sellerParams } from '#accounts/seller-path.ts'
import { Done, defineCalls, Id, PathId, text } from '#contract'

/** Most sections of one shop. */
export const MAX_SECTIONS = 20
export const SECTION_NAME_LENGTH = 24

/** A part of a maker's shop, such as "Bowls". */
export const Section = z.object({
  id: Id,
  name: z.string(),
  /** Number of listings in it. */
  listings: z.number(),
})
export type Section = z.infer<typeof Section>
const Sections = z.object({ sections: z.array(Section) })

/** A section as its maker names it. */
export const NamedSection = z.object({
  name: text('Name', {
    required: 'Name is required',
    max: [SECTION_NAME_LENGTH, `Name cannot be more than ${SECTION_NAME_LENGTH} characters`],
  }),
})
const NO_PLACE = `Position must be a whole number from 1 to ${MAX_SECTIONS}`

const one = z.object({ sectionId: PathId })

export const calls = defineCalls({
  'GET /api/sections/': { summary: 'Own sections, in their order', response: Sections },
  'POST /api/sections/': {
    summary: 'Add a section at the end. One of that name is answered as it is',
    body: NamedSection,
    response: Section,
    status: 201,
  },
  'PUT /api/sections/:sectionId': {
    summary: 'Give a section another name',
    params: one,
    body: NamedSection,
    response: Section,
  },
  'PUT /api/sections/:sectionId/position': {
    summary: 'Move a section to a place among the others, from 1',
    params: one,
    body: z.object({
      position: z.int(NO_PLACE).check(z.minimum(1, NO_PLACE), z.maximum(MAX_SECTIONS, NO_PLACE)),
    }),
    response: Sections,
  },
  'DELETE /api/sections/:sectionId': {
    summary: 'Remove a section. Its listings stay, and have no section',
    params: one,
    response: Done,
  },
  'GET /api/shops/:username/sections': {
    summary: 'Sections of a maker that have listings for sale, in their order',
    visibility: 'public',
    params: sellerParams,
    response: Sections,
  },
})
