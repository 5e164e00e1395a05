import { type RawBuilder, sql } from 'kysely'
import { smallestUrl } from '#images/dto.ts'

/**
 * SQL: the name of a maker as pages show it, of `users as u` and `shops as m` (left join): first and last name if they
 * chose so, otherwise the name of their shop, otherwise the username.
 */
export const makerName: RawBuilder<string> = sql`case
  when m.shows_name then concat_ws(' ', u.first_name, u.last_name)
  when m.name <> '' then m.name
  else u.username end`

/** SQL: whether the name or place of a shop, of `shops as m`, has words that begin like these, in any order. By an index. */
export function shopSays(column: 'm.name' | 'm.place', text: string): RawBuilder<boolean> {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const query = words.map(word => `'${word}':*`).join(' & ')
  return sql<boolean>`${sql.ref(column)} <> '' and separate_words(${sql.ref(column)}) @@ ${query}::tsquery`
}

/** SQL: the name with the place, if they say one: 'Wren Thistledown, Bristol'. */
const nameAndPlace: RawBuilder<string> = sql`concat_ws(', ', ${makerName}, nullif(m.place, ''))`

/** SQL: the address of the smallest picture of a maker, of `shops as m`. Null without one. */
export const makerPicture = sql<
  string | null
>`(select ${smallestUrl} from images as i where i.id = m.image_id)`

/** SQL: what cards say of a maker, of the same tables. The picture is an address, or null. */
export const makerColumns = [
  sql<string>`u.username`.as('seller'),
  makerName.as('maker_name'),
  nameAndPlace.as('maker'),
  makerPicture.as('maker_picture'),
] as const
