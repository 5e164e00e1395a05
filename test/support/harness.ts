import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ConnectionOptions } from '../../src/platform/database/database.ts'
import { localFiles } from '../../src/platform/storage/files.ts'
import { assertAudit, assertAuditIn } from './audit.ts'
import { launch, over, type Settings } from './launch.ts'
import { overNetwork } from './network.ts'
import { type Shop, shopAt } from './person.ts'
import type { Target } from './scenario.ts'

/** A shop started as by `npm start`, in a process of its own, on data of its own. */
export interface RealShop extends Target {
  readonly address: string
  readonly port: number
  /** Folder of the database and the pictures. */
  readonly dataDir: string
  /** Its output so far. */
  readonly log: string
  pid(): number
  /** Pids that answer requests: this process, or its workers. */
  serving(): number[]
  /** Address of its embedded database. */
  connection(): ConnectionOptions
  /** Whether the started process still runs. */
  alive(): boolean
  /** Kills the process, as a crash does. */
  kill(): Promise<void>
  /** Starts it again on the same data and port. */
  start(): Promise<void>
  /** Sends SIGTERM. @returns duration until the exit, ms, and its exit code */
  stop(): Promise<{ took: number; code: number | null }>
}

/** Opens a shop for some work, runs the audit, and deletes the shop. A failed audit fails the scenario. */
export async function withShop<T>(settings: Settings, work: (shop: RealShop) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'thrum-faults-'))
  // As root, the database server runs as another account, which must be able to enter.
  await chmod(dataDir, 0o755)
  try {
    const shop = await launchShop(dataDir, settings)
    try {
      const done = await work(shop)
      await assertAuditOf(shop, settings)
      return done
    } finally {
      if (shop.alive()) await shop.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Runs the audit, whether the shop still runs or not. @throws Error with every finding */
export function assertAuditOf({ dataDir }: RealShop, { DATABASE_URL: url }: Settings): Promise<void> {
  if (!url) return assertAuditIn(dataDir)
  return assertAudit({ connectionString: url }, shop => localFiles(join(dataDir, 'uploads', shop)))
}

/** Starts a shop as a child process on a free port, and waits until it is ready. The caller stops it. */
export async function launchShop(dataDir: string, settings: Settings): Promise<RealShop> {
  const port = await freePort()
  const env = { DATA_DIR: dataDir, PORT: String(port), ...settings }
  let { child, output } = await launch(env)
  const address = `http://127.0.0.1:${port}`
  const people: Shop = shopAt(overNetwork(port))
  const rows = (statement: string) => ask(settings.DATABASE_URL ?? embeddedIn(dataDir), statement)
  const alive = () => !over(child)
  return {
    ...people,
    address,
    port,
    dataDir,
    get log() {
      return output.join('')
    },
    pid: () => child.pid ?? 0,
    serving() {
      const workers = childrenOf(child.pid ?? 0).filter(isNode)
      return workers.length > 0 ? workers : [child.pid ?? 0]
    },
    connection: () => embeddedIn(dataDir),
    alive,
    async kill() {
      child.kill('SIGKILL')
      if (alive()) await once(child, 'exit')
    },
    async start() {
      const before = output
      const restarted = await launch(env)
      child = restarted.child
      output = restarted.output
      output.unshift(...before)
    },
    async stop() {
      const began = performance.now()
      child.kill('SIGTERM')
      if (alive()) await once(child, 'exit')
      return { took: performance.now() - began, code: child.exitCode }
    },
    rows,
    // With several processes, public data may be a moment old.
    stockOf: async id => (await rows(`select quantity from stock where product_id = ${id}`))[0].quantity,
  }
}

/**
 * A free port, below those that systems give to outgoing connections (Linux: from 32768): one of these could take it in the
 * seconds before the shop listens, or while it is stopped.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise(closed => server.close(closed))
    return port
  }
}

/** Address of the embedded database of a data folder, from its lock file. */
function embeddedIn(dataDir: string): ConnectionOptions {
  const [, , , port, socket] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')
  return { host: socket ?? '', port: Number(port), user: 'app', database: 'shop' }
}

async function ask(connection: string | pg.ClientConfig, statement: string) {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Processes of the database in this folder: the first is the parent. */
export function databaseProcesses(dataDir: string): number[] {
  const file = join(dataDir, 'postgres/postmaster.pid')
  if (!existsSync(file)) return []
  const first = Number.parseInt(readFileSync(file, 'utf8'), 10)
  return [first, ...childrenOf(first)]
}

function childrenOf(parent: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return table
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
    .filter(([, of]) => of === parent)
    .map(([pid = 0]) => pid)
}

const isNode = (pid: number): boolean => readlinkSync(`/proc/${pid}/exe`).endsWith('/node')

/** Retries until it succeeds. @returns duration, ms @throws Error after `timeoutMs` */
export async function until(timeoutMs: number, attempt: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  for (;;) {
    if (await attempt().catch(() => false)) return performance.now() - began
    if (performance.now() - began > timeoutMs) throw new Error(`not within ${timeoutMs} ms`)
    await sleep(20)
  }
}

/** Whether the shop is ready. */
export async function ready(shop: RealShop): Promise<boolean> {
  const { status } = await shop.visitor().get('/readyz')
  return status === 200
}
