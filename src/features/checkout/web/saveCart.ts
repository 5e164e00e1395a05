import type { CartLine } from '#cart/contract.ts'
import { type CartResult, quantityOf } from '#cart/web/cartForm.ts'
import type { Problem } from '#problem'
import { type Ask, attempt } from '#ui/api-client.ts'
import type { Checkout, CheckoutPart } from '../contract.ts'

/** Field names of the way and the note of a maker's pieces. */
export const wayFieldOf = (seller: number): string => `way-${seller}`
export const noteFieldOf = (seller: number): string => `note-${seller}`
export const ADDRESS_FIELD = 'address'

/** The notes of a form as they were typed, by the maker's id, without empty ones. */
export const notesIn = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form]
      .map(([name, value]): [string, string] => [
        name === 'note' ? String(form.get('seller')) : (/^note-(\d+)$/.exec(name)?.[1] ?? ''),
        String(value),
      ])
      .filter(([seller, note]) => seller !== '' && note.trim() !== ''),
  )

/** The value of the way by post. Any other is the id of a pick-up place. */
export const BY_POST = 'post'
/** The delivery choice of a part, as a value of the field. */
export const wayIn = ({ pickup_id }: CheckoutPart): string =>
  pickup_id === null ? BY_POST : String(pickup_id)
/** The choice of a field as the API takes it. Without a field: no change. */
export function wayOf(value: FormDataEntryValue | null): { pickup_id?: number | null } {
  if (value === null) return {}
  return { pickup_id: value === BY_POST ? null : Number(value) }
}

/** Why a cart cannot be ordered: of each maker. Empty if it can. */
export const refusalsOf = ({ parts }: Checkout): string[] =>
  parts.flatMap(({ refusal }) => (refusal === null ? [] : [refusal]))

/** Forms send line breaks as CR LF. */
const typed = (value: FormDataEntryValue): string => String(value).replaceAll('\r\n', '\n').trim()

/** What was refused, with the status of the first refusal. */
export interface Unsaved {
  status: number
  result: CartResult
}

/**
 * Saves a cart that was sent without scripts: quantities, address, ways and notes, as far as they differ.
 * @returns the refusals, with the notes as they were typed. Undefined if everything was saved
 */
export async function saveCart(
  ask: Ask,
  { lines, checkout }: { lines: CartLine[] | null; checkout: Checkout | null },
  form: FormData,
): Promise<Unsaved | undefined> {
  const problems: Problem[] = []
  const save = async (change: Promise<unknown>) => {
    const { problem } = await attempt(change)
    if (problem) problems.push(problem)
    return problem
  }
  for (const { id, quantity } of lines ?? []) {
    const chosen = Number(form.get(quantityOf(id)) ?? quantity)
    if (chosen >= 1 && chosen !== quantity)
      await save(ask('PUT /api/cart_items/:id', { params: { id }, body: { quantity: chosen } }))
  }
  const address = form.get(ADDRESS_FIELD)
  if (address !== null && address !== String(checkout?.address?.id ?? '')) {
    const body = { address_id: address === '' ? null : Number(address) }
    await save(ask('PUT /api/checkout/address', { body }))
  }
  const notes: Record<string, string> = {}
  for (const part of checkout?.parts ?? []) {
    const { id } = part.seller
    const [way, note] = [form.get(wayFieldOf(id)), form.get(noteFieldOf(id))]
    const body = {
      ...(way === wayIn(part) ? {} : wayOf(way)),
      ...(note === null || typed(note) === part.note ? {} : { note: typed(note) }),
    }
    if (Object.keys(body).length === 0) continue
    const params = { sellerId: id }
    const refused = await save(ask('PUT /api/checkout/sellers/:sellerId', { params, body }))
    if (refused && note !== null) notes[id] = String(note)
  }
  const [first] = problems
  return (
    first && {
      status: first.status || 503,
      result: { problems: problems.flatMap(({ errors }) => errors), notes },
    }
  )
}
