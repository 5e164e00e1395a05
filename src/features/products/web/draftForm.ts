import type { Problem } from '#problem'
import { type Ask, attempt } from '#ui/api-client.ts'
import { type ListingResult, refusedDraft } from './parseListing.ts'

/** The header with the version of the draft that the form was filled from. */
export const draftVersionOf = (form: FormData): Record<string, string> => {
  const version = String(form.get('draft_version') ?? '')
  return version ? { 'expected-version': version } : {}
}

/** The form then shows the version that is saved. */
export const atVersion = (
  result: ListingResult,
  { id, version }: { id: number; version: number },
): ListingResult => ({
  ...result,
  typed: { ...result.typed, draft_id: String(id), draft_version: String(version) },
})

const CHANGED =
  'This draft was changed in another tab. What you typed is still here: save again to replace the other changes'

/**
 * State of the form whose texts were not saved as a draft. Where another tab has saved others, it now has their version: sent
 * again, the form replaces them.
 * @param id of the draft. Undefined for a new one
 */
export async function notSaved(
  ask: Ask,
  form: FormData,
  id: number | undefined,
  problem: Problem,
): Promise<ListingResult> {
  const result = refusedDraft(form, problem)
  if (problem.status !== 409 || id === undefined) return result
  const { response: now } = await attempt(ask('GET /api/drafts/:draftId', { params: { draftId: id } }))
  // Published or deleted meanwhile.
  if (!now) return result
  return atVersion({ ...result, problems: [CHANGED] }, now)
}
