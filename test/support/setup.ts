import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../../scripts/build.ts'
import { hashPassword } from '../../src/features/accounts/passwords.ts'
import { type ConnectionOptions, createClient, shopIdFor } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrations.ts'
import { startEmbedded } from '../../src/platform/embedded-postgres/embedded.ts'
import { installJobs } from '../../src/platform/jobs/jobs.ts'
import { PASSWORD } from './person.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection to the server's own database, to create and drop others. */
    server: pg.ClientConfig
    /** A migrated, empty database; each test file works on a copy. */
    template: string
    /** The id of the shop in the template, and in all its copies. */
    shop: string
    /** Folder of all data of the tests: each shop has a subfolder. */
    root: string
    /** The password hash of all users. */
    hash: string
    /** Folder of the built pages. */
    built: string
  }
}

/**
 * Starts one server for all tests: the embedded one, or the one at DATABASE_URL. TEST_BUILD is a folder of built
 * pages, to skip the build.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), 'shop-test-'))
  // As root, the server runs as another account, which must be able to enter.
  await chmod(root, 0o755)
  const url = process.env.DATABASE_URL
  const noLog = () => {}
  const embedded = url
    ? undefined
    : await startEmbedded({
        dataDir: join(root, 'postgres'),
        log: noLog,
        settings: { fsync: 'off', max_connections: '200' },
      })
  const server: pg.ClientConfig = url ? partsOf(url) : { ...embedded?.connection }
  const template = `shop_test_${process.pid}`
  await onServer(server, `create database ${template}`)
  const connection = { ...server, database: template } as ConnectionOptions
  await migrate(connection, join(import.meta.dirname, '../../migrations'))
  // Each shop would do it again.
  await installJobs(connection)
  const built = process.env.TEST_BUILD ?? (await ensureBuilt(noLog))
  project.provide('server', server)
  project.provide('template', template)
  project.provide('shop', await shopIdOf(connection))
  project.provide('root', root)
  project.provide('built', built)
  project.provide('hash', await hashPassword(PASSWORD))
  return async () => {
    await onServer(server, `drop database if exists ${template} with (force)`)
    await embedded?.stop()
    await rm(root, { recursive: true, force: true })
  }
}

async function shopIdOf(connection: ConnectionOptions): Promise<string> {
  const client = createClient(connection)
  await client.connect()
  try {
    return (await shopIdFor(client)) ?? ''
  } finally {
    await client.end()
  }
}

function partsOf(url: string): pg.ClientConfig {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  return {
    host: searchParams.get('host') ?? hostname,
    ...(port ? { port: Number(port) } : {}),
    ...(username ? { user: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    database: pathname.slice(1) || 'postgres',
  }
}

/** Runs one statement on the server's own database. */
export async function onServer(server: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
