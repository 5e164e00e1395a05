import * as z from 'zod/mini'
import { Id } from '#contract'
import type { PhotoZip } from '#draft-pictures/photo-zip.ts'
import { Problem } from '#problem'
import { ListingDetails } from '#products/details-contract.ts'
import { WrittenVariations } from '#products/variations-contract.ts'

/** Of the text in an archive, bytes. */
const MAX_TEXT = 100 * 2 ** 20
/** Wrong values that are named. */
const MAX_PROBLEMS = 20

const { section_id: _, variations: __, ...details } = ListingDetails.shape
/** A listing of an archive. Its rules are those of a draft: a text of any length, which the form checks. */
const ArchivedListing = z.object({
  ...{ id: Id, name: z.string(), category: z.string(), description: z.string() },
  ...{ price: z.number(), stock: z.number(), ...details },
  // Archives of older versions have none.
  variations: z.prefault(WrittenVariations, { variations: [], combinations: [] }),
  ...{ made_to_order: z.boolean(), handling_days: z.number() },
  photos: z.array(z.object({ file: z.string(), alt: z.string() })),
})
export type ArchivedListing = z.infer<typeof ArchivedListing>
const Archive = z.object({ format: z.literal(1), listings: z.array(ArchivedListing) })

const refuse = (errors: string[]) => new Problem(400, errors[0] ?? '', { errors })

/** The listings of an archive. @throws Problem 400 for another zip, or with what is wrong in it */
export async function readArchive(zip: PhotoZip): Promise<ArchivedListing[]> {
  const text = await zip.text('listings.json', MAX_TEXT)
  if (text === undefined) throw refuse(['The zip is no archive of listings: it has no listings.json'])
  let written: unknown
  try {
    written = JSON.parse(text)
  } catch (cause) {
    throw new Problem(400, 'The listings.json of the zip is damaged', { cause })
  }
  const read = Archive.safeParse(written)
  if (read.success) return read.data.listings
  throw refuse(
    read.error.issues
      .slice(0, MAX_PROBLEMS)
      .map(({ path, message }) => `listings.json, ${path.join('.')}: ${message}`),
  )
}
