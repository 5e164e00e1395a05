/**
 * What must hold before a change is merged, on the embedded database or on the one at DATABASE_URL. A failed test
 * does not stop the other tests; any other failed check ends the run. The last line counts tests, and each other check as one.
 *
 * - `npm run test:quick`, while you work: formatter and linter, types, unused code, architecture, and the main test of each
 *   feature.
 * - `npm test`, before a commit: also the other tests of modules and of the API, and finding, buying and selling in a browser.
 * - `npm run test:all`, which CI runs: every test, each scenario of the benchmark once, and the quick resilience scenarios.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { preferMemoryFolder } from '../test/support/memory-folder.ts'
import { readArguments } from './cli/read-arguments.ts'

const root = join(import.meta.dirname, '..')
preferMemoryFolder()
const folder = await mkdtemp(join(tmpdir(), 'thrum-check-'))
const results = join(folder, 'tests.json')
const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`

const checks = ['biome ci .', 'tsc -b', 'knip']
const { values: wanted } = readArguments(
  'npm test, npm run test:quick or npm run test:all. Some tests: npx vitest run NAME',
  {
    flags: ['all', 'quick'],
  },
)
const isAll = wanted.all
const projects = wanted.quick ? ['quick'] : isAll ? [] : ['quick', 'api', 'journeys']
const chosen = projects.map(name => ` --project=${name}`).join('')
const tests = `vitest run${chosen} --reporter=default --reporter=json --outputFile.json=${results}`
const last = isAll ? ['node bench/bench.ts --quick', 'node test/resilience/run.ts --quick'] : []

/** Runs a command with output to the terminal. @returns whether it succeeded */
async function succeeds(command: string): Promise<boolean> {
  console.log(`\n→ ${command.replace(/ --reporter.*/, '')}`)
  const [program = '', ...args] = command.split(' ')
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH } })
  try {
    const [code] = await once(child, 'close')
    return code === 0
  } catch (error) {
    console.error((error as Error).message)
    return false
  }
}

/** Passed and failed tests. A run that fails without a failed test (a file that cannot load) counts as one. */
async function runTests(): Promise<{ passed: number; failed: number }> {
  const fine = await succeeds(tests)
  const { numPassedTests, numFailedTests } = await readFile(results, 'utf8').then(JSON.parse, () => ({
    numPassedTests: 0,
    numFailedTests: 0,
  }))
  return { passed: numPassedTests, failed: fine ? 0 : Math.max(numFailedTests, 1) }
}

let passed = 0
let failed = 0
async function runUntilFailure(commands: string[]): Promise<void> {
  for (const command of commands) {
    if (failed > 0) return
    if (await succeeds(command)) passed++
    else failed++
  }
}
await runUntilFailure(checks)
if (failed === 0) {
  const run = await runTests()
  passed += run.passed
  failed += run.failed
}
await runUntilFailure(last)
await rm(folder, { recursive: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
