/**
 * `npm run bench`: how fast the shop is, beside what is possible at all. Starts the production build on a fresh
 * database, loads it with 32 connections for a few seconds each, and next to it a bare server that gives the same
 * bytes. Then the same questions in shops of 1,000, 100,000 and 1,000,000 listings, or of as many as are named:
 * `npm run bench -- 1000 50000`. Prints tables; a figure depends on the machine, the ratio to the floor much less.
 */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openShop } from '../faults/ground.ts'
import { builtFrom } from '../scripts/build.ts'
import { LANDING, scriptsOf } from '../scripts/sizes.ts'
import { measureGrowth } from './growth.ts'
import { CONNECTIONS, floorOf, load, SECONDS } from './load.ts'

/** Opens a shop and says how long that took, seconds. */
async function timed(dataDir: string) {
  const begun = performance.now()
  const shop = await openShop(dataDir, { DEMO: 'on' })
  return { shop, seconds: (performance.now() - begun) / 1000 }
}

/** Resident memory of a process in megabytes; NaN where the system does not tell. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

console.log(
  `${CONNECTIONS} connections, ${SECONDS} s each, load and shop on the same machine (${availableParallelism()} cores)\n`,
)
const built = await builtFrom(console.log)
const dataDir = await mkdtemp(join(tmpdir(), 'thrum-bench-'))
// As root the server runs as another account, which must reach its data here; else that goes to /var/lib.
await chmod(dataDir, 0o755)
try {
  const first = await timed(dataDir)
  await first.shop.stop()
  const { shop, seconds } = await timed(dataDir)
  const base = shop.address
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
  console.log('| scenario | requests/s | p50 ms | p99 ms | failed | bare server/s | ratio |')
  console.log('|---|---|---|---|---|---|---|')
  for (const [name, path, headers] of scenarios) {
    const { perSecond, p50, p99, failed } = await load(base + path, { headers })
    const floor = await floorOf(base + path, headers)
    const ratio = (perSecond / floor.perSecond).toFixed(2)
    console.log(
      `| ${name} | ${Math.round(perSecond)} | ${p50} | ${p99} | ${failed} | ${Math.round(floor.perSecond)} | ${ratio} |`,
    )
  }
  console.log(
    `\nFirst start, demo shop filled: ${first.seconds.toFixed(1)} s; second start: ${seconds.toFixed(1)} s`,
  )
  console.log(`Memory of the process after this load: ${(await memoryOf(shop.pid())).toFixed(0)} MB`)
  console.log(`Scripts of the landing page: ${(await scriptsOf(built, LANDING)).toFixed(1)} kB gzip\n`)
  await shop.stop()
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

const sizes = process.argv.slice(2).map(Number)
await measureGrowth(sizes.length > 0 ? sizes : [1_000, 100_000, 1_000_000])
