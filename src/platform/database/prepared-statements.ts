import type pg from 'pg'

/** Names of statements. A list of values may be of any length, so there is no end of texts: only so many are prepared. */
const prepared = new Map<string, string>()
const MOST_PREPARED = 300
/**
 * Which index of the catalogue is best depends on what is looked for, so this is planned anew each time. A search by
 * words (`catalogue_newest`) always takes the same one.
 */
const PLANNED_EACH_TIME = /\bfrom "?catalogue\b/

function nameOf(text: string): string | undefined {
  const known = prepared.get(text)
  if (known || prepared.size >= MOST_PREPARED || PLANNED_EACH_TIME.test(text)) return known
  const name = `shop_${prepared.size + 1}`
  prepared.set(text, name)
  return name
}

/** Lets a connection read and plan a statement once, and from then on only take its values. */
export function prepareByName(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 && nameOf(text)
    return name ? query({ name, text, values }, ...rest) : query(text, values, ...rest)
  }) as typeof client.query
}
