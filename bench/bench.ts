/**
 * `npm run bench`: measures the shop beside a baseline that does the same. Starts the production build on a new database with
 * 10,000 listings, 20,000 reviews and 1,000 visitors, loads it with 32 connections for a few seconds per scenario, and likewise
 * a bare server with the same bytes, or the same SQL statements. Then with 100,000 and 1,000,000 listings. Prints tables
 * (figures depend on the machine, ratios to the baseline much less), and at the end the budget with the lines that fail.
 *
 *   npm run bench -- 1000 50000           with these numbers of listings
 *   npm run bench -- 10000 --only cart    only scenarios whose name contains a text
 *   npm run bench -- --quick              a few requests each to a small shop; fails unless all succeed
 */
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureBuilt } from '../scripts/build.ts'
import { countArgument, readArguments } from '../scripts/cli/read-arguments.ts'
import { inTemporaryFolder } from '../scripts/temporary-folder.ts'
import { LANDING, scriptsOf } from '../test/support/bundle-sizes.ts'
import { launchShop, type RealShop } from '../test/support/harness.ts'
import { budgetTable, record, recordScenario } from './budget.ts'
import { cpuTime, memoryOf } from './cpu-usage.ts'
import { generatedFile, importFile } from './import-file.ts'
import { CONNECTIONS, isQuick, LOADED, load } from './load.ts'
import { type Scenario, scenariosOf, soldPageOf, uploading } from './scenarios.ts'
import { countStatements, statementsOf } from './statements.ts'
import { fill, settle } from './world.ts'

const { values, arguments: typed } = readArguments('npm run bench -- [LISTINGS …] [--only TEXT] [--quick]', {
  options: ['only'],
  flags: ['quick'],
  most: 10,
})
const sizes = typed.map(listings => countArgument(listings, 'LISTINGS', 0))
const { only = '' } = values
const [FIRST = 0, ...GROWN] = isQuick ? [500] : sizes.length > 0 ? sizes : [10_000, 100_000, 1_000_000]
/** Rows of a listings file. */
const IMPORTED = isQuick ? 100 : 5_000
const SIZE = isQuick ? { reviews: 1_000, people: 250 } : { reviews: 20_000, people: 1_000 }
/** As in production, except that one seller may upload any number of photos. */
const SETTINGS = { LIMITS: 'on', LIMIT_UPLOADS: '1000000', LIMIT_CONNECTIONS: '1000000' }

let failures = 0

/** Opens a shop. @returns also the duration, seconds */
async function timed(dataDir: string, settings: Record<string, string>) {
  const began = performance.now()
  const shop = await launchShop(dataDir, settings)
  return { shop, seconds: (performance.now() - began) / 1000 }
}

const figure = (value: number, digits = 0) =>
  Number.isNaN(value)
    ? '–'
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** Prints a row: the shop and its baseline. @returns the median, ms */
async function measure(shop: RealShop, scenario: Scenario, listings: number) {
  const { name, sequence, connections, each = 1, beside } = scenario
  let before = cpuTime(shop)
  const onStart = () => {
    before = cpuTime(shop)
  }
  const stop = beside?.()
  const done = await load(shop.address, { sequence, connections, onStart }).finally(() => stop?.())
  const after = cpuTime(shop)
  failures += done.failed
  const baseline = await scenario.baseline?.()
  const times = done.answered / each
  const cells = [
    figure(done.perSecond / each),
    `${done.p50} | ${done.p99}`,
    baseline ? `${figure(baseline.perSecond)} (${baseline.by})` : '–',
    figure(done.perSecond / each / (baseline?.perSecond ?? Number.NaN), 2),
    figure((after.shop - before.shop) / times, 2),
    figure((after.database - before.database) / times, 2),
    done.failed,
  ]
  console.log(`| ${name} | ${cells.join(' | ')} |`)
  const perSecond = done.perSecond / each
  const { budget } = scenario
  if (budget && listings === (budget.listings ?? FIRST))
    recordScenario(name, budget, {
      perSecond,
      ratio: perSecond / (baseline?.perSecond ?? Number.NaN),
      p99: done.p99,
    })
  return done.p50
}

/** @returns the median of each scenario, ms */
async function measureScenarios(listings: number): Promise<Map<string, number>> {
  return inTemporaryFolder(async dataDir => {
    const size = { ...SIZE, listings }
    await fill(dataDir, size)
    const { shop, seconds } = await timed(dataDir, SETTINGS)
    try {
      const world = await settle(shop.connection(), size)
      const all = [...scenariosOf(shop, world), await uploading(world)]
      const scenarios = all.filter(({ name }) => name.includes(only))
      if (scenarios.length === 0) throw new Error(`No scenario has a name with "${only}"`)
      // Warm-up: the code is being compiled.
      for (const { sequence } of all.slice(0, 3)) await load(shop.address, { sequence })
      console.log(
        `\n| with ${figure(listings)} listings | a second | p50 ms | p99 ms | baseline, a second | ratio | CPU ms, shop | CPU ms, database | failed |`,
      )
      console.log('|---|---|---|---|---|---|---|---|---|')
      const medians = new Map<string, number>()
      for (const scenario of scenarios) medians.set(scenario.name, await measure(shop, scenario, listings))
      console.log(`\nStart with ${figure(listings)} listings: ${seconds.toFixed(1)} s`)
      console.log(`Memory of the process after all this: ${figure(memoryOf(shop))} MB\n`)
      record('memory', memoryOf(shop), `${figure(listings)} listings`)
      compareSales(medians)
      if (!isQuick && listings === FIRST) await count(shop, scenarios)
      return medians
    } finally {
      await shop.stop()
    }
  })
}

/** The Sold page of a seller with many orders, by that of one with few. */
function compareSales(medians: Map<string, number>): void {
  const [few, many] = [medians.get(soldPageOf('few')), medians.get(soldPageOf('many'))]
  if (few !== undefined && many !== undefined) record('many orders', Math.max(1, many) / Math.max(1, few))
}

async function count(shop: RealShop, scenarios: Scenario[]): Promise<void> {
  await countStatements(shop)
  console.log('| scenario | statements |\n|---|---|')
  for (const scenario of scenarios)
    console.log(`| ${scenario.name} | ${figure(await statementsOf(shop, scenario), 2)} |`)
}

/** Prints the medians of each scenario by size, and their growth from first to last. */
function compare(medians: Map<string, number>[]): void {
  const [first, ...grown] = medians
  console.log(
    `\n| p50 ms with so many listings | ${[FIRST, ...GROWN].map(n => figure(n)).join(' | ')} | grown |`,
  )
  console.log(`|---|${'---|'.repeat(medians.length + 1)}`)
  for (const [name, median] of first ?? []) {
    const later = grown.map(others => others.get(name) ?? Number.NaN)
    // Medians are whole ms, so growth from 0 to 1 is undefined.
    const times = Math.max(1, later.at(-1) ?? Number.NaN) / Math.max(1, median)
    console.log(`| ${[name, median, ...later, figure(times, 2)].join(' | ')} |`)
    if (grown.length > 0) record('growth', times, name)
  }
}

async function measureStarts(): Promise<void> {
  await inTemporaryFolder(async dataDir => {
    const first = await timed(dataDir, { DEMO: 'on' })
    await first.shop.stop()
    const second = await timed(dataDir, { DEMO: 'on' })
    await second.shop.stop()
    console.log(
      `\nFirst start, demo shop filled: ${first.seconds.toFixed(1)} s; second start: ${second.seconds.toFixed(1)} s`,
    )
    record('first start', first.seconds)
    record('second start', second.seconds)
  })
}

/** Lighthouse, which exits with 1 if one of its own limits is missed. */
async function measurePaint(): Promise<void> {
  const program = join(import.meta.dirname, '../test/e2e/lighthouse.ts')
  const run = promisify(execFile)(process.execPath, [program, 'landing'])
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  const [, paint] = /^\| landing \|(?: \d+ \|){4} (\d+) \|/m.exec(stdout) ?? []
  console.log(`Largest contentful paint of the landing page: ${paint} ms`)
  record('landing LCP', Number(paint))
}

/** A maker moves in. */
async function measureImport(): Promise<void> {
  await inTemporaryFolder(async dataDir => {
    const { shop } = await timed(dataDir, { ...SETTINGS, IMPORT_PHOTOS: 'off' })
    try {
      const { preview, done, peak } = await importFile(shop, generatedFile(IMPORTED))
      console.log(
        `\nImport of ${figure(IMPORTED)} rows: preview after ${preview.toFixed(1)} s, done after ${done.toFixed(1)} s; largest memory ${figure(peak)} MB`,
      )
      record('import', done)
    } finally {
      await shop.stop()
    }
  })
}

console.log(
  `${CONNECTIONS} connections, ${LOADED} s each, load and shop on the same machine (${availableParallelism()} cores)\n`,
)
if (isQuick) console.log('Each scenario runs once: the figures do not measure speed.\n')
const built = await ensureBuilt(console.log)
const medians: Map<string, number>[] = []
for (const listings of [FIRST, ...GROWN]) medians.push(await measureScenarios(listings))
if (!only) await measureImport()
if (!isQuick) {
  compare(medians)
  if (!only) {
    await measureStarts()
    await measurePaint()
  }
  const scripts = await scriptsOf(built, LANDING)
  console.log(`Scripts of the landing page: ${scripts.toFixed(1)} kB gzip\n`)
  record('landing scripts', scripts)
  console.log(budgetTable())
}
if (failures > 0) {
  console.error(`${failures} responses were no success`)
  process.exitCode = 1
}
