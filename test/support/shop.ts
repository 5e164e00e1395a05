import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { deviceOf } from '#accounts/device-name.ts'
import { cookieName } from '#accounts/session-cookie.ts'
import { openSession, userColumns } from '#accounts/session-store.ts'
import { ResponseCache } from '#platform/cache/response-cache.ts'
import { type Connection, connect, type Database } from '#platform/database/database.ts'
import type { Traces } from '#platform/observability/traces.ts'
import { builtPages } from '#platform/ssr/renderer.ts'
import { DerivedFileCache } from '#platform/storage/derived-file-cache.ts'
import { type Files, localFiles } from '#platform/storage/files.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { home, newcomer, type Shop, shopAt, type Wire } from './person.ts'
import { onServer } from './setup.ts'

export { aMug } from './listings.ts'
export { type Answer, Person } from './person.ts'

export interface TestShop extends Shop {
  app: FastifyInstance
  db: Database
  connection: Connection
  files: Files
  /** Its log; empty unless LOG_LEVEL is set. */
  log: Line[]
  /** Its address; undefined without `listen`. */
  address: string
  /** Rows of a statement. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the statement selects
  rows(statement: string): Promise<any[]>
  /** Changes the stock of a listing through the ledger, past the shop. */
  correctStock(id: number, units: number): Promise<void>
  close(): Promise<void>
}

/** A line of the log. */
type Line = Record<string, unknown> & { msg: string; reqId?: string }

interface Options {
  /** Settings as in the environment: { LIMITS: 'on', OWN_LISTINGS: 'refuse' }. Limits are off by default. */
  settings?: Record<string, string>
  /** Serve the built pages too. */
  pages?: boolean
  /** Listen on a free port of 127.0.0.1. */
  listen?: boolean
  /** Users sign up by the API. By default accounts are inserted, because hashing is slow. */
  signups?: boolean
  traces?: Traces
  /** An existing database of the server. */
  database?: string
  /** Storage of its pictures; default: a folder of its own. */
  files?: Files
}

/** The real app on a database of its own, a copy of the migrated template. Close it when done. */
export async function openShop({
  settings = {},
  pages = false,
  listen = false,
  signups = false,
  traces,
  database,
  files: chosen,
}: Options = {}): Promise<TestShop> {
  const server = inject('server')
  const name = database ?? `shop_${randomUUID().replaceAll('-', '')}`
  // Copying files takes half as long as the WAL strategy.
  if (!database)
    await onServer(server, `create database ${name} template ${inject('template')} strategy file_copy`)
  const config = readConfig({ LIMITS: 'off', DEMO: 'off', LOG_LEVEL: 'silent', PORT: '0', ...settings })
  const connection = { ...server, database: name } as Connection
  const cache = new ResponseCache()
  const pool = connect(connection, config.databasePool, {}, () => cache.publish())
  const { db, close } = pool
  const log: Line[] = []
  await cache.listen(connection)
  const files = chosen ?? localFiles(join(inject('root'), name))
  const app = await createApp({
    config,
    db,
    pools: { main: pool },
    files,
    cache,
    derivedFiles: new DerivedFileCache(join(inject('root'), `${name}-made`)),
    traces,
    log: { write: line => void log.push(JSON.parse(line)) },
    ...(pages ? { pages: () => builtPages(inject('built')) } : {}),
  })
  await app.ready()
  const address = listen ? await app.listen({ port: 0, host: '127.0.0.1' }) : ''

  const wire: Wire = async request => {
    const { statusCode, headers, body } = await app.inject(request as InjectOptions)
    return { status: statusCode, headers, text: body }
  }
  const people = shopAt(wire)
  const withAccount: Shop['signUp'] = async nickname => {
    const password_hash = inject('hash')
    const { town, since: created_at } = home()
    const row = { ...newcomer(nickname), password_hash, created_at }
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
    files,
    log,
    address,
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
      await app.close()
      await cache.close()
      await close()
      await onServer(server, `drop database if exists ${name} with (force)`)
    },
  }
}
