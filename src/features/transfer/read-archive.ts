import * as z from 'zod/mini'
import { Id } from '#contract'
import { ZIP_REFUSALS } from '#draft-pictures/contract.ts'
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

/** What is in the zip of an archive, and in no other. */
const LISTINGS = 'listings.json'
export const isArchive = (zip: PhotoZip): boolean => zip.names.includes(LISTINGS)

const refuse = (errors: string[]) => {
  const named = errors.map(error => `${ZIP_REFUSALS.archive}: ${error}`)
  return new Problem(400, named[0] ?? ZIP_REFUSALS.archive, { errors: named })
}

/** The listings of an archive. @throws Problem 400 for another zip, or with what is wrong in it */
export async function readArchive(zip: PhotoZip): Promise<ArchivedListing[]> {
  const text = await zip.text(LISTINGS, MAX_TEXT)
  if (text === undefined) throw refuse([`the zip has no ${LISTINGS}, or a larger one`])
  let written: unknown
  try {
    written = JSON.parse(text)
  } catch {
    throw refuse([`${LISTINGS} is damaged`])
  }
  const read = Archive.safeParse(written)
  if (read.success) return read.data.listings
  throw refuse(
    read.error.issues
      .slice(0, MAX_PROBLEMS)
      .map(({ path, message }) => `${LISTINGS}, ${path.join('.')}: ${message}`),
  )
}
