import * as z from 'zod/mini'
import { Id } from '#contract'
import { ZIP_REFUSALS } from '#draft-pictures/contract.ts'
import { MAX_NAME, type PhotoZip } from '#draft-pictures/photo-zip.ts'
import { MAX_DRAFTS } from '#drafts/contract.ts'
import { ALT_LENGTH, MAX_IMAGES } from '#images/contract.ts'
import { Problem } from '#problem'
import { ListingDetails } from '#products/details-contract.ts'
import { EMPTY_DETAILS } from '#products/form-details.ts'
import { WrittenVariations } from '#products/variations-contract.ts'
import { NamedSection } from '#sections/contract.ts'

/** Wrong values that are named. */
const MAX_PROBLEMS = 20

const { section_id: _, section: ___, variations: __, ...details } = ListingDetails.shape
const ArchivedPhoto = {
  file: z.string().check(z.maxLength(MAX_NAME)),
  alt: z.string().check(z.maxLength(ALT_LENGTH)),
}
/** A listing of an archive. Its rules are those of a draft: a text of any length, which the form checks. */
const ArchivedListing = z.object({
  ...{ id: Id, name: z.string(), category: z.string(), description: z.string() },
  ...{ price: z.number(), stock: z.number(), ...details },
  variations: WrittenVariations,
  ...{ made_to_order: z.boolean(), handling_days: z.number() },
  section: z.nullable(NamedSection.shape.name),
  photos: z.array(z.object(ArchivedPhoto)).check(z.maxLength(MAX_IMAGES)),
})
export type ArchivedListing = z.infer<typeof ArchivedListing>
/** Details that an archive has as the API returns them. */
export const ARCHIVED_DETAILS = Object.keys(details) as (keyof typeof details)[]
const Written = z.object({ format: z.literal(1), listings: z.array(z.unknown()) })

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether a file of a listing is a document. Archives have documents, but they are not taken in: rendering one takes seconds. */
export const isDocument = ({ file }: { file: string }): boolean => /\.pdf$/i.test(file)

/** What is in the zip of an archive, and in no other. */
const LISTINGS = 'listings.json'
export const isArchive = (zip: PhotoZip): boolean => zip.names.includes(LISTINGS)

const refuse = (errors: string[]) => {
  const named = errors.map(error => `${ZIP_REFUSALS.archive}: ${error}`)
  return new Problem(400, named[0] ?? ZIP_REFUSALS.archive, { errors: named })
}

/**
 * The listings of an archive.
 * @param maxText bytes of its text, which is parsed in memory
 * @throws Problem 400 for another zip, or with what is wrong in it
 */
export async function readArchive(zip: PhotoZip, maxText: number): Promise<ArchivedListing[]> {
  const text = await zip.text(LISTINGS, maxText).catch(cause => {
    throw new Problem(400, `${ZIP_REFUSALS.archive}: ${LISTINGS} is damaged`, { cause })
  })
  if (text === undefined) throw refuse([`the zip has no ${LISTINGS} of at most ${maxText / 2 ** 20} MB`])
  const written = Written.safeParse(parsed(text))
  if (!written.success) throw refuse([`${LISTINGS} has another format`])
  const given = written.data.listings
  if (given.length > MAX_DRAFTS) throw refuse([`${LISTINGS} has more than ${MAX_DRAFTS} listings`])
  const problems: string[] = []
  const listings: ArchivedListing[] = []
  const files = new Set<string>()
  for (const [at, each] of given.entries()) {
    // Archives of older versions lack later details.
    const { data, error } = ArchivedListing.safeParse(isObject(each) ? { ...EMPTY_DETAILS, ...each } : each)
    const wrong = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
    if (data) listings.push(data)
    // A photo is taken in once.
    for (const { file } of data?.photos ?? []) {
      if (files.has(file)) wrong.push(`photos: ${file} is named twice`)
      files.add(file)
    }
    problems.push(...wrong.map(text => `${LISTINGS}, listings.${at}.${text}`))
    if (problems.length > 0 && problems.length >= MAX_PROBLEMS) break
  }
  if (problems.length > 0) throw refuse(problems.slice(0, MAX_PROBLEMS))
  return listings
}

/** @throws Problem 400 for what is no JSON, and for texts that the database cannot hold */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => {
      if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
        throw new Error('not storable')
      return value
    })
  } catch {
    throw refuse([`${LISTINGS} is damaged`])
  }
}
