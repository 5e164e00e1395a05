import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { deviceOf } from '#accounts/device-name.ts'
import { cookieName } from '#accounts/session-cookie.ts'
import { openSession, userColumns } from '#accounts/session-store.ts'
import type { ConnectionOptions, Database } from '#platform/database/database.ts'
import type { Traces } from '#platform/observability/traces.ts'
import { builtPages } from '#platform/ssr/renderer.ts'
import type { Files } from '#platform/storage/files.ts'
import { readConfig } from '../../src/config.ts'
import { serve } from '../../src/serve.ts'
import { overNetwork } from './network.ts'
import { home, newcomer, type Shop, shopAt } from './person.ts'
import { onServer } from './setup.ts'

export { aMug } from './listings.ts'
export { Person, type TestResponse } from './person.ts'

export interface TestShop extends Shop {
  app: FastifyInstance
  db: Database
  connection: ConnectionOptions
  files: Files
  /** The name of its database on the server of all tests. */
  database: string
  /** Its pictures, and what can be made again. */
  dataDir: string
  /** Its log; empty unless LOG_LEVEL is set. */
  log: Line[]
  /** Its messages to the operator. */
  messages: string[]
  /** Where it listens: http://127.0.0.1:PORT. */
  address: string
  /** Rows of a statement. */
  // biome-ignore lint/suspicious/noExplicitAny: the columns depend on the statement
  rows(statement: string): Promise<any[]>
  /** Changes the stock of a listing through the ledger, past the shop. */
  correctStock(id: number, units: number): Promise<void>
  close(): Promise<void>
}

/** A line of the log. */
type Line = Record<string, unknown> & { msg: string; reqId?: string }

interface Options {
  /**
   * Settings as in the environment: { LIMITS: 'on', OWN_LISTINGS: 'refuse' }. By default limits, the demo, and
   * fetching photos are off.
   */
  settings?: Record<string, string>
  /** Users sign up by the API. By default accounts are inserted, because hashing is slow. */
  signups?: boolean
  /** The e-mail addresses of inserted accounts are confirmed. */
  confirmed?: boolean
  traces?: Traces
  /** The name of a database that is there already, and stays when the shop closes. */
  database?: string
}

/**
 * Opens the shop as `npm start` does, by `serve`, but in this process: with the built pages, on a free port, and on a copy of
 * the migrated template unless DATABASE_URL names another server. People speak to it over the network. Close it when done.
 */
export async function openShop({
  settings = {},
  signups = false,
  confirmed = false,
  traces,
  database: given,
}: Options = {}): Promise<TestShop> {
  const server = inject('server')
  const database = given ?? `shop_${randomUUID().replaceAll('-', '')}`
  const dataDir = join(inject('root'), database)
  const own = {
    PORT: '0',
    DATA_DIR: dataDir,
    LIMITS: 'off',
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    IMPORT_PHOTOS: 'off',
  }
  const config = readConfig({ ...own, ...settings })
  const isOwn = !given && !config.databaseUrl
  // Copying files takes half as long as the WAL strategy.
  if (isOwn)
    await onServer(server, `create database ${database} template ${inject('template')} strategy file_copy`)
  const connection = config.databaseUrl
    ? { connectionString: config.databaseUrl }
    : ({ ...server, database } as ConnectionOptions)
  const log: Line[] = []
  const messages: string[] = []
  const { app, stop } = await serve({
    config,
    connection,
    pages: () => builtPages(inject('built')),
    log: line => void messages.push(line),
    logStream: { write: line => void log.push(JSON.parse(line)) },
    traces,
  })
  const { db, files } = app
  const { port } = app.server.address() as AddressInfo
  const people = shopAt(overNetwork(port))
  const withAccount: Shop['signUp'] = async nickname => {
    const password_hash = inject('hash')
    const { town, since: created_at } = home()
    const row = {
      ...newcomer(nickname),
      password_hash,
      created_at,
      email_confirmed_at: confirmed ? created_at : null,
    }
    const person = people.visitor()
    Object.assign(person, { town, since: created_at.toISOString() })
    person.user = await db.insertInto('users').values(row).returning(userColumns).executeTakeFirstOrThrow()
    await db.insertInto('shops').values({ user_id: person.user.id, place: town }).execute()
    const token = await openSession(db, person.user.id, password_hash, deviceOf(undefined))
    person.cookie = `${cookieName(config)}=${token}`
    return person
  }
  return {
    app,
    db,
    connection,
    database,
    dataDir,
    files,
    log,
    messages,
    address: `http://127.0.0.1:${port}`,
    ...people,
    signUp: signups ? people.signUp : withAccount,
    rows: async statement => (await sql.raw(statement).execute(db)).rows,
    async stockOf(id) {
      return (
        await db.selectFrom('stock').select('quantity').where('product_id', '=', id).executeTakeFirstOrThrow()
      ).quantity
    },
    async correctStock(id, units) {
      await db.insertInto('stock_ledger').values({ product_id: id, units, reason: 'correction' }).execute()
    },
    async close() {
      await stop()
      if (isOwn) await onServer(server, `drop database if exists ${database} with (force)`)
    },
  }
}

/** A shop with people of its own that offers the demo login: such a shop is not filled with the demo. */
export async function openWithDemoLogin(): Promise<TestShop> {
  const own = await openShop()
  await own.signUp('ana')
  const shop = await openShop({ database: own.database, settings: { DEMO: 'on' } })
  const close = async () => {
    await shop.close()
    await own.close()
  }
  return { ...shop, close }
}
