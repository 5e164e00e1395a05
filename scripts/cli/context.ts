/** Settings, database and storage for a command-line program. */
import { existsSync } from 'node:fs'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/open-database.ts'
import type { Config } from '../../src/platform/config/config.ts'
import {
  type ConnectionOptions,
  createClient,
  type Database,
  openPool,
} from '../../src/platform/database/database.ts'
import type { Files } from '../../src/platform/storage/files.ts'
import { openStorage } from '../../src/platform/storage/storage.ts'
import { Problem } from '../../src/shared/problem.ts'
import { messageOf } from './message-of.ts'

interface CliContext {
  config: Config
  connection: ConnectionOptions
  /** The storage of the shop with that id. */
  filesOf: (shop: string) => Files
}

/** Runs a program with the settings. Prints an error as one sentence, with exit code 1. */
export async function withSettings(work: (config: Config) => Promise<void>): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    await work(readConfig(process.env))
  } catch (error) {
    console.error(messageOf(error))
    if (process.env.LOG_LEVEL === 'debug') console.error(error)
    process.exitCode = 1
  }
}

/**
 * Runs a program with the database of the settings: the one at DATABASE_URL, or the embedded one, which is started
 * unless a running shop has done so. Prints an error as one sentence, with exit code 1: also if there is no shop.
 * @param mayBeEmpty there need not be a shop: the embedded database is created if it is missing
 */
export function withCliContext(
  work: (context: CliContext) => Promise<void>,
  { mayBeEmpty = false } = {},
): Promise<void> {
  return withSettings(async config => {
    const { connection, stop } = await openDatabase(config, mayBeEmpty ? console.log : () => {}, !mayBeEmpty)
    try {
      if (!mayBeEmpty) await requireShop(connection)
      const filesOf = await openStorage(config, console.log)
      await work({ config, connection, filesOf })
    } finally {
      await stop()
    }
  })
}

/** As `withCliContext`, with a pool of one connection. @param timeouts of the pool, milliseconds */
export function withCliDatabase(
  work: (context: CliContext & { db: Database }) => Promise<void>,
  timeouts?: Parameters<typeof openPool>[2],
): Promise<void> {
  return withCliContext(async context => {
    const { db, close } = openPool(context.connection, 1, timeouts)
    try {
      await work({ ...context, db })
    } catch (error) {
      throw error instanceof Problem ? new Error(error.errors.join('\n')) : error
    } finally {
      await close()
    }
  })
}

/** The origin of the links that a program prints: PUBLIC_URL, or this machine. */
export const shopOrigin = ({ publicUrl, port }: Config): string => publicUrl ?? `http://localhost:${port}`

async function requireShop(connection: ConnectionOptions): Promise<void> {
  const client = createClient(connection)
  await client.connect()
  try {
    const { rows } = await client.query(`select where to_regclass('users') is not null`)
    if (rows.length === 0) throw new Error('There is no shop in this database: use the settings of the shop')
  } finally {
    await client.end()
  }
}
