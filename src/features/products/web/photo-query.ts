import { withoutFlash } from '#ui/flash.ts'

/** The query of a photo of a listing, by its number from 1. The rest of the query stays, such as the part of the reviews. */
export function photoAt(search: string, photo: number, isLarge = false): string {
  const query = new URLSearchParams(withoutFlash(search))
  query.set('photo', String(photo))
  query.delete('large')
  if (isLarge) query.set('large', 'yes')
  return `?${query}`
}
