import { type RawBuilder, sql } from 'kysely'
import { UNKNOWN_CURSOR } from '#contract'
import { Problem } from '#problem'

/** A cursor for the place after a row: the values that it is sorted by, with points between, in base64url. */
export const encodeCursor = (...key: (string | number)[]): string =>
  Buffer.from(key.join('.')).toString('base64url')

/**
 * A page of rows that were read with one more than `limit`, and the cursor of the next page. Null if this is the last
 * page.
 * @param keyOf the values that a row is sorted by, as `encodeCursor` takes them
 */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => (string | number)[],
): { page: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next_cursor: last && rows.length > limit ? encodeCursor(...keyOf(last)) : null }
}

/** The values of a cursor, one for each group of the pattern. @throws Problem 400 for a cursor that no list gave out */
export const decodeCursor = (cursor: string, pattern: RegExp): string[] =>
  readCursor(Buffer.from(cursor, 'base64url').toString(), pattern)

/** The values of a cursor that is not encoded. @throws as `decodeCursor` does */
export function readCursor(cursor: string, pattern: RegExp): string[] {
  const [, ...key] = pattern.exec(cursor) ?? []
  if (key.length === 0) throw unknownCursor()
  return key
}

/** Problem 400 for an invalid cursor. Returned, not thrown. */
export const unknownCursor = (): Problem => new Problem(400, UNKNOWN_CURSOR)

/** A moment as microseconds since 1970: JavaScript's dates would lose them. */
export const toMicroseconds = (moment: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(extract(epoch from ${moment}) * 1000000)::bigint`

/** The moment of so many microseconds since 1970. @param at microseconds, or the column that holds them */
export const fromMicroseconds = (at: string | RawBuilder<unknown> | null | undefined): RawBuilder<unknown> =>
  sql`timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond'`
