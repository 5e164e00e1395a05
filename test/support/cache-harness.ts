import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, inject, vi } from 'vitest'
import { ResponseCache } from '#platform/cache/response-cache.ts'
import { type ConnectionOptions, openPool } from '#platform/database/database.ts'
import { onServer } from './setup.ts'

interface OwnDatabase {
  name: string
  connection: ConnectionOptions
  pool: pg.Pool
  drop(): Promise<void>
}

/** A database with the tables of a shop, and a connection that changes it. */
async function ownDatabase(): Promise<OwnDatabase> {
  const server = inject('server')
  const name = `shop_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name} template ${inject('template')}`)
  const connection = { ...server, database: name } as ConnectionOptions
  const { pool, close } = openPool(connection, 1)
  return {
    name,
    connection,
    pool,
    async drop() {
      await close()
      await onServer(server, `drop database if exists ${name} with (force)`)
    },
  }
}

interface ListeningCache {
  cache: ResponseCache
  database: OwnDatabase
}

/** For each test of a file a new cache, and a database whose notifications it receives. */
export function listeningCache(): ListeningCache {
  const own = {} as ListeningCache
  beforeAll(async () => {
    own.database = await ownDatabase()
  })
  afterAll(() => own.database.drop())
  beforeEach(async () => {
    own.cache = new ResponseCache()
    await own.cache.listen(own.database.connection)
  })
  afterEach(() => own.cache.close())
  return own
}

/** Loads a key; the response is the number of loads. */
export function countingLoader(cache: ResponseCache, bytes = 1) {
  const load = vi.fn(async (key: string) => `${key} ${load.mock.calls.length}`)
  const get = (key: string) =>
    cache.getOrLoad(
      key,
      () => load(key),
      () => ({ bytes }),
    )
  return { get, load }
}

/** A promise that the test resolves. */
export function deferredLoad() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { load: vi.fn(() => promise), finish: resolve }
}

/** Number of connections that the work takes from the pool: one per statement or transaction. */
export async function countConnections(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pg.Pool.prototype, 'connect')
  await work()
  const { length } = spy.mock.calls
  spy.mockRestore()
  return length
}
