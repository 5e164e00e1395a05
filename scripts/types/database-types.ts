/** Prints src/schema.ts from a migrated database: `npm run types` writes it, a test compares it. */
import type pg from 'pg'

const scalar: Record<string, string> = {
  int8: 'number',
  int4: 'number',
  int2: 'number',
  text: 'string',
  uuid: 'string',
  bytea: 'Buffer',
  timestamptz: 'Date',
  // '2026-03-31': a day has no time zone.
  date: 'string',
  _int4: 'number[]',
  _text: 'string[]',
  _bytea: 'Buffer[]',
  bool: 'boolean',
  tsvector: 'string',
  // The query says what is in it.
  jsonb: 'unknown',
}

interface Column {
  table: string
  name: string
  type: string
  nullable: boolean
  filled: boolean
}

const columnsOf = `
  select c.relname as table, a.attname as name, t.typname as type,
    not a.attnotnull as nullable, a.atthasdef or a.attidentity <> '' as filled
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'migrations'
  order by c.relname, a.attnum`

/** The TypeScript source of a database's tables. @throws Error for an unknown column type */
export async function databaseTypes(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<Column>(columnsOf)
  const tables = Map.groupBy(rows, row => row.table)
  const entries = [...tables].map(([table, columns]) => {
    const lines = columns.map(column => `      ${column.name}: ${typeOf(column)}\n`)
    return `    ${table}: {\n${lines.join('')}    }\n`
  })
  return [
    '// Generated from the migrated database by `npm run types`; do not edit.',
    "import type { Generated } from 'kysely'\n",
    "declare module '#platform/database/database.ts' {",
    `  interface Schema {\n${entries.join('')}  }\n}\n`,
  ].join('\n')
}

function typeOf(column: Column): string {
  const type = scalar[column.type]
  if (!type) throw new Error(`No TypeScript type for ${column.table}.${column.name} (${column.type})`)
  const nullable = column.nullable ? `${type} | null` : type
  return column.filled ? `Generated<${nullable}>` : nullable
}
