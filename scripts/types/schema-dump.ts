/**
 * Prints src/schema.sql from a migrated database: functions, views and triggers as they are after all
 * migrations. `npm run types` writes it, a test compares it.
 */
import type pg from 'pg'

/** Whether a row of a system table belongs to an extension. */
const ofExtension = (catalog: string, row: string) =>
  `exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${row}.oid and d.deptype = 'e')`

const FUNCTIONS = `
  select rtrim(pg_get_functiondef(f.oid), E'\\n') as sql from pg_proc f
  where f.pronamespace = 'public'::regnamespace and not ${ofExtension('pg_proc', 'f')}
  order by f.proname, pg_get_function_identity_arguments(f.oid)`
const VIEWS = `
  select format(E'CREATE VIEW %I AS\\n%s', v.relname, rtrim(pg_get_viewdef(v.oid, true), ';')) as sql from pg_class v
  where v.relkind = 'v' and v.relnamespace = 'public'::regnamespace and not ${ofExtension('pg_class', 'v')}
  order by v.relname`
const TRIGGERS = `
  select pg_get_triggerdef(t.oid, true) as sql from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
  order by c.relname, t.tgname`

/** Functions, views and triggers of a database, those of extensions left out. */
export async function schemaDump(pool: pg.Pool): Promise<string> {
  const parts = ['-- Generated from the migrated database by `npm run types`; do not edit.']
  for (const query of [FUNCTIONS, VIEWS, TRIGGERS]) {
    const { rows } = await pool.query<{ sql: string }>(query)
    parts.push(...rows.map(({ sql }) => `${sql};`))
  }
  return `${parts.join('\n\n')}\n`
}
