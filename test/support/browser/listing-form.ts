import type { ListingDraft } from '#products/contract.ts'
import { labels } from '../listings.ts'
import type { Visit } from './steps.ts'

type Field = keyof ListingDraft

/** Fills the fields of the listing form that are named. */
export async function fillListing(
  there: Visit,
  draft: Partial<Record<Field, string | number>>,
): Promise<void> {
  for (const [field, value] of Object.entries(draft)) {
    const label = labels[field as Field]
    await (field === 'category' ? there.choose(label, String(value)) : there.fill(label, String(value)))
  }
}

/** The value of every field of the listing form. */
export async function listingIn(there: Visit): Promise<Record<Field, string>> {
  const fields = Object.entries(labels).map(async ([field, label]) => [field, await there.valueOf(label)])
  return Object.fromEntries(await Promise.all(fields))
}
