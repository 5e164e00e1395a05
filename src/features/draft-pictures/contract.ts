import * as z from 'zod/mini'
import { defineCalls, Id } from '#contract'

/** Most failures that the progress names. */
export const MAX_FAILURES = 20

/** Most files in a zip, and its size in bytes. */
export const MAX_ZIP_ENTRIES = 5_000
export const MAX_ZIP_BYTES = 200 * 2 ** 20

/** Why a zip is refused, by the name that the address of the page has after the form. A name in the zip may follow. */
export const ZIP_REFUSALS = {
  none: 'Please choose a zip file',
  large: `A zip can have at most ${MAX_ZIP_BYTES / 2 ** 20} MB; please make several`,
  many: 'A zip can have at most 5,000 files; please make several',
  broken: 'This file is no zip, or it is damaged; please choose another one',
  path: 'A name in the zip leads out of its folder',
  long: 'A name in the zip is too long',
  locked: 'The zip is locked with a password; please make one without',
  bomb: 'The zip unpacks to more than photos need',
  archive: 'The listings of this archive cannot be read',
  full: 'You have no room for so many drafts or sections: delete some first. Nothing was added',
  busy: 'Photos of other zips are still being taken in; please send yours in a few minutes',
  again: 'The zip did not arrive; please send it again',
}
/** The page with the progress and the form. */
export const PHOTOS_PAGE = '/import/photos'
/** Where the form sends a zip, and where programs do. Both take the field `zip` as multipart/form-data. */
export const ZIP_FORM_PATH = '/import/photos/zip'
export const ZIP_PATH = '/api/import/photos/zip'

/** What becomes of the files of a zip. */
export const ZipPlan = z.object({
  /** Listings of an archive that are drafts now; 0 for a zip of photos. */
  drafts: z.number(),
  /** Photos that are being taken in. */
  taken: z.number(),
  /** Photos that were here before. */
  here: z.number(),
  /** Files that are not taken in: they belong to no draft, or are documents of an archive. */
  unknown: z.number(),
  /** The first of them, at most 20. */
  unknown_names: z.array(z.string()),
})
export type ZipPlan = z.infer<typeof ZipPlan>

/** A photo that did not come, and why. */
const Failure = z.object({
  id: Id,
  /** Of the draft or the listing. */
  title: z.string(),
  /** Place among its photos, from 1. */
  position: z.number(),
  reason: z.string(),
})

/** How far the photos of imported drafts are. */
export const PhotoProgress = z.object({
  /** Whether this shop fetches photos; otherwise they come in a zip only. */
  fetches: z.boolean(),
  total: z.number(),
  here: z.number(),
  waiting: z.number(),
  failed: z.number(),
  /** Of these, what can be fetched again: photos of a zip come with the next one. */
  refetchable: z.number(),
  /** The first that failed, at most 20. */
  failures: z.array(Failure),
})
export type PhotoProgress = z.infer<typeof PhotoProgress>

export const calls = defineCalls({
  'GET /api/import/photos': {
    summary: `How far the photos of own imported drafts are, and why the first ${MAX_FAILURES} failed`,
    response: PhotoProgress,
  },
  'POST /api/import/photos/retry': {
    summary: 'Fetch the photos again that failed',
    response: PhotoProgress,
  },
})
