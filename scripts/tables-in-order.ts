import type pg from 'pg'

/** A table with the names of its columns, generated ones left out. */
interface Table {
  name: string
  columns: string[]
}

/** SQL: tables, their columns, and the tables that their foreign keys refer to. */
const TABLES = `
  select c.relname as name,
    array(select attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
      and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    array(select r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid) as after
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and c.relname <> all (array['migrations'] || $1::text[])
  order by 1`

/**
 * The tables of a database, each after those that its foreign keys refer to (topological order), without `migrations`.
 * @param excluded tables that are left out
 * @throws Error for a cycle
 */
export async function tablesInOrder(
  client: pg.Client | pg.Pool,
  excluded: readonly string[] = [],
): Promise<Table[]> {
  const { rows } = await client.query<Table & { after: string[] }>(TABLES, [excluded])
  const tables: Table[] = []
  for (let rest = rows; rest.length > 0; ) {
    const ready = rest.filter(({ after }) => !rest.some(({ name }) => after.includes(name)))
    if (ready.length === 0)
      throw new Error(`Tables refer to one another in a circle: ${rest.map(t => t.name)}`)
    tables.push(...ready.map(({ name, columns }) => ({ name, columns })))
    rest = rest.filter(table => !ready.includes(table))
  }
  return tables
}
