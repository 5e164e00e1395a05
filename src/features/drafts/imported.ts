import { type RawBuilder, sql } from 'kysely'
import { lockUser } from '#accounts/lock-user.ts'
import type { Id } from '#contract'
import type { Database } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { type DraftFields, MAX_DRAFTS, type Outcome } from './contract.ts'
import { count } from './drafts.ts'

/** A listing of a file. */
export interface Imported {
  /** Identifies the listing in this file and in later ones. */
  key: string
  /** What the file says: the fields of the draft, and what is stored beside them. */
  imported: { fields: DraftFields }
}

/** Listings of one statement. */
const AT_ONCE = 500

/**
 * The outcome of each listing of a file, if it were imported. Writes nothing.
 * @param given each key once
 * @returns key → outcome
 * @throws Problem 409 for too many drafts
 */
export async function outcomesOf(db: Database, seller: Id, given: Imported[]): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  for (const some of chunks(given)) {
    const { rows } = await sql<{ key: string; outcome: Outcome }>`
      with ${sorted(seller, some)} select key, outcome from sorted
    `.execute(db)
    for (const { key, outcome } of rows) outcomes.set(key, outcome)
  }
  const added = [...outcomes.values()].filter(outcome => outcome === 'new').length
  requireFew((await count(db, seller)) + added)
  return outcomes
}

/**
 * Adds or changes drafts of a maker by what a file says. The caller has a transaction: all or none.
 * @param given each key once
 * @returns key → outcome, with the draft that was added or changed
 * @throws Problem 409 for too many drafts
 */
export async function saveImported(
  db: Database,
  seller: Id,
  given: Imported[],
): Promise<Map<string, { outcome: Outcome; draft: Id | null }>> {
  await lockUser(db, seller)
  const outcomes = new Map<string, { outcome: Outcome; draft: Id | null }>()
  for (const some of chunks(given))
    for (const { key, ...saved } of await write(db, seller, some)) outcomes.set(key, saved)
  requireFew(await count(db, seller))
  return outcomes
}

/** The names of a maker's drafts (as imported) and listings (as published) with these keys. */
export async function namesOf(db: Database, seller: Id, keys: string[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ key: string; name: string }>`
    select source_key as key, imported -> 'fields' ->> 'name' as name from drafts
    where seller_id = ${seller} and source_key = any(${keys}::text[])
    union all
    select source_key, name from products where seller_id = ${seller} and source_key = any(${keys}::text[])
  `.execute(db)
  return new Map(rows.map(({ key, name }) => [key, name]))
}

/** The section that a file gave each of these listings: of a maker's drafts as imported. Of a published one it is null. */
export async function importedSections(
  db: Database,
  seller: Id,
  keys: string[],
): Promise<Map<string, Id | null>> {
  const { rows } = await sql<{ key: string; section: Id | null }>`
    select source_key as key, nullif(imported -> 'fields' ->> 'section_id', '')::bigint as section from drafts
    where seller_id = ${seller} and source_key = any(${keys}::text[])
    union all
    select source_key, null from products where seller_id = ${seller} and source_key = any(${keys}::text[])
  `.execute(db)
  return new Map(rows.map(({ key, section }) => [key, section]))
}

const chunks = (given: Imported[]) =>
  Array.from({ length: Math.ceil(given.length / AT_ONCE) }, (_, index) =>
    given.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )

function requireFew(drafts: number): void {
  if (drafts > MAX_DRAFTS)
    throw new Problem(
      409,
      `With this file there would be ${drafts} drafts; at most ${MAX_DRAFTS} are possible`,
    )
}

/** Common table expression `sorted`: key, imported and outcome of each given listing. */
const sorted = (seller: Id, given: Imported[]): RawBuilder<unknown> => sql`
  given as (
    select key, imported from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as row (key text, imported jsonb)
  ),
  sorted as (
    select key, given.imported, case
      when p.id is not null then 'published'
      when d.id is null then 'new'
      when d.fields - 'stock' <> (d.imported -> 'fields') - 'stock' then 'edited'
      when d.imported #- '{fields,stock}' = given.imported #- '{fields,stock}' then 'same'
      else 'changed' end as outcome
    from given
    left join products as p on p.seller_id = ${seller} and p.source_key = key
    left join drafts as d on d.seller_id = ${seller} and d.source_key = key
  )`

async function write(db: Database, seller: Id, given: Imported[]) {
  const { rows } = await sql<{ key: string; outcome: Outcome; draft: Id | null }>`
    with ${sorted(seller, given)},
    added as (
      insert into drafts (seller_id, fields, source_key, imported)
      select ${seller}, imported -> 'fields', key, imported from sorted where outcome = 'new'
      returning id, source_key
    ),
    changed as (
      update drafts as d set fields = (sorted.imported -> 'fields') || jsonb_strip_nulls(jsonb_build_object('stock', d.fields -> 'stock')),
        imported = sorted.imported, version = d.version + 1, changed_at = now()
      from sorted where d.seller_id = ${seller} and d.source_key = key and outcome = 'changed'
      returning d.id, d.source_key
    )
    select key, outcome, coalesce(added.id, changed.id) as draft from sorted
    left join added on added.source_key = key left join changed on changed.source_key = key
  `.execute(db)
  return rows
}
