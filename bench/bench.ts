/**
 * `npm run bench`: how fast the shop is, beside what is possible at all. Starts the production build on a fresh
 * database, loads it with 32 connections for a few seconds each, and next to it a bare server that gives the same
 * bytes. Prints a table; a figure depends on the machine, the ratio to the floor much less.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { builtFrom } from '../scripts/build.ts'
import { LANDING, scriptsOf } from '../scripts/sizes.ts'

const root = join(import.meta.dirname, '..')
const CONNECTIONS = 32
const SECONDS = 5
const PORT = 3905

interface Started {
  process: ChildProcess
  seconds: number
}

/** Starts the shop and waits until it says that it is open. */
async function openShop(dataDir: string): Promise<Started> {
  const begun = performance.now()
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(PORT), LIMITS: 'off', DEMO: 'on' }
  // As `npm start` does it, but without npm in between, so that its signals and its memory are the shop's own.
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const shop = spawn('sh', ['-c', scripts.start], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const opened = new Promise<void>((resolve, reject) => {
    shop.stdout.on('data', chunk => {
      if (String(chunk).includes('open at')) resolve()
    })
    shop.once('exit', code => reject(new Error(`The shop ended with code ${code}`)))
  })
  await opened
  return { process: shop, seconds: (performance.now() - begun) / 1000 }
}

function close({ process: shop }: Started): Promise<void> {
  return new Promise(resolve => {
    shop.once('exit', () => resolve())
    shop.kill('SIGTERM')
  })
}

interface Load {
  perSecond: number
  p50: number
  p99: number
  failed: number
}

async function load(url: string, headers: Record<string, string> = {}): Promise<Load> {
  await autocannon({ url, headers, connections: CONNECTIONS, duration: 1 })
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS })
  const { requests, latency, non2xx, errors } = result
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors }
}

/** A bare server that gives these bytes and nothing else: what Node can do at most. */
async function floorOf(url: string, headers: Record<string, string>): Promise<Load> {
  const answer = await fetch(url, { headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const server = createServer((_request, response) => response.end(bytes))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await load(`http://127.0.0.1:${port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Resident memory of a process in megabytes; NaN where the system does not tell. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

const dataDir = await mkdtemp(join(tmpdir(), 'thrum-bench-'))
// As root the server runs as another account, which must reach its data here; else that goes to /var/lib.
await chmod(dataDir, 0o755)
const base = `http://127.0.0.1:${PORT}`
try {
  const first = await openShop(dataDir)
  await close(first)
  const shop = await openShop(dataDir)
  const { products } = (await (await fetch(`${base}/api/products/?limit=1`)).json()) as {
    products: { id: number }[]
  }
  const id = products[0]?.id
  const scenarios = [
    ['list of 24, JSON', '/api/products/?limit=24', {}],
    ['product, JSON', `/api/products/${id}`, {}],
    ['landing page, visitor', '/', { 'accept-encoding': 'gzip' }],
    ['product page, visitor', `/products/${id}`, { 'accept-encoding': 'gzip' }],
  ] as const
  console.log(
    `\n${CONNECTIONS} connections, ${SECONDS} s each, load and shop on the same machine (${(await readdir('/sys/devices/system/cpu')).filter(n => /^cpu\d+$/.test(n)).length} cores)\n`,
  )
  console.log('| scenario | requests/s | p50 ms | p99 ms | failed | bare server/s | ratio |')
  console.log('|---|---|---|---|---|---|---|')
  for (const [name, path, headers] of scenarios) {
    const { perSecond, p50, p99, failed } = await load(base + path, headers)
    const floor = await floorOf(base + path, headers)
    const ratio = (perSecond / floor.perSecond).toFixed(2)
    console.log(
      `| ${name} | ${Math.round(perSecond)} | ${p50} | ${p99} | ${failed} | ${Math.round(floor.perSecond)} | ${ratio} |`,
    )
  }
  console.log(
    `\nFirst start, demo shop filled: ${first.seconds.toFixed(1)} s; second start: ${shop.seconds.toFixed(1)} s`,
  )
  console.log(`Memory of the process after this load: ${(await memoryOf(shop.process.pid)).toFixed(0)} MB`)
  console.log(
    `Scripts of the landing page: ${(await scriptsOf(await builtFrom(console.log), LANDING)).toFixed(1)} kB gzip`,
  )
  await close(shop)
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
