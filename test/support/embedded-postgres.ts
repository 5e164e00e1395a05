import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { onTestFinished, vi } from 'vitest'
import { type EmbeddedPostgres, startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { soon } from './expect.ts'

type Running = Pick<EmbeddedPostgres, 'connection' | 'dataDir'>
export const asRoot = process.getuid?.() === 0
const fast = { fsync: 'off' }

/** A folder of this test; with 0o755 the server of root can enter it. */
export function folder(mode = 0o755): string {
  const path = realpathSync(mkdtempSync('/tmp/embedded-'))
  chmodSync(path, mode)
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Starts in this process; `lines` is the log. */
export async function start(dataDir: string): Promise<EmbeddedPostgres & { lines: string[] }> {
  const lines: string[] = []
  const server = await startEmbedded({ dataDir, log: line => lines.push(line), settings: fast })
  onTestFinished(() => server.stop())
  return { ...server, lines }
}

/** Starts in a process of its own, which `kill` ends with SIGKILL. */
export async function startElsewhere(dataDir: string): Promise<Running & { kill(): Promise<void> }> {
  const program = `
    import { startEmbedded } from ${JSON.stringify(new URL('../../src/platform/embedded-postgres/embedded.ts', import.meta.url).href)}
    const { connection, dataDir } = await startEmbedded(
      { dataDir: process.argv[1], log: () => {}, settings: ${JSON.stringify(fast)} })
    console.log(JSON.stringify({ connection, dataDir }))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(async () => {
    await kill()
    await vi.waitUntil(() => processes({ dataDir }).length === 0, soon)
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { ...JSON.parse(line), kill }
}

/** Rows of one statement, each as a list. */
export async function rows(server: Running, text: string): Promise<unknown[][]> {
  const client = new Client({ ...server.connection, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query({ text, rowMode: 'array' })).rows
  } finally {
    await client.end().catch(() => {})
  }
}

export const postmaster = ({ dataDir }: Running) =>
  Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10)

/** Processes with this data directory in their arguments: the server and its watchdog. */
export const processes = ({ dataDir }: Pick<Running, 'dataDir'>) =>
  execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(dataDir) && /^\S*(postgres|sh) /.test(line))
