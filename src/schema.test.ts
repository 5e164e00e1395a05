import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { databaseTypes } from '../scripts/types/database-types.ts'
import { schemaDump } from '../scripts/types/schema-dump.ts'
import { onServer } from '../test/support/setup.ts'
import { openPool } from './platform/database/database.ts'
import { migrate } from './platform/database/migrations.ts'

const migrations = join(import.meta.dirname, '../migrations')

let name: string
let own: Parameters<typeof migrate>[0]
let open: ReturnType<typeof openPool>
beforeEach(async () => {
  name = `shop_${randomUUID().replaceAll('-', '')}`
  await onServer(inject('server'), `create database ${name}`)
  own = { ...inject('server'), database: name } as never
  open = openPool(own, 1)
})
afterEach(async () => {
  await open.close()
  await onServer(inject('server'), `drop database if exists ${name} with (force)`)
})

const readSibling = (file: string) => readFile(join(import.meta.dirname, file), 'utf8')

test('schema.ts matches the migrated database: else run `npm run types`', async () => {
  await migrate(own, migrations)
  expect(await databaseTypes(open.pool)).toBe(await readSibling('schema.ts'))
})

test('schema.sql has the functions, views and triggers of the migrated database: else run `npm run types`', async ({
  skip,
}) => {
  const { rows } = await open.pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  )
  const [{ version = '' } = {}] = rows
  skip(!version.startsWith('18.'), 'PostgreSQL 18 wrote it, and others print views in their own way')
  await migrate(own, migrations)
  expect(await schemaDump(open.pool)).toBe(await readSibling('schema.sql'))
})

test('existing lookalike usernames stay, and the oldest blocks new ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const earlier = (await readdir(migrations)).filter(file => file < '0027')
  for (const file of earlier) await cp(join(migrations, file), join(folder, file))
  await migrate(own, folder)
  const insert = (username: string) =>
    open.pool.query(
      `insert into users (username, email, first_name, last_name, password_hash) values ($1, $1 || '@x', 'Ana', 'Weaver', 'x')`,
      [username],
    )
  const lookalikes = [
    'wren_thistledown',
    'wren_thistled\u043ewn',
    'wren_thistledown\u200b',
    'wren_thist1edown',
  ]
  for (const username of [...lookalikes, 'somebody else']) await insert(username)
  await migrate(own, migrations)
  const { rows } = await open.pool.query('select username, username_skeleton from users order by id')
  expect(rows).toEqual([
    { username: 'wren_thistledown', username_skeleton: 'wren_thistledown' },
    ...lookalikes.slice(1).map(username => ({ username, username_skeleton: null })),
    { username: 'somebody else', username_skeleton: 'somebody else' },
  ])
  await expect(insert('wr\u0435n_thistledown')).rejects.toThrow('users_username_lookalike')
})
