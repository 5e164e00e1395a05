/**
 * `npm test`: everything that must hold before a change is merged, and what CI runs. Formatter and linter,
 * types, unused code, then all tests: on the embedded database, or on the one at DATABASE_URL. At the end,
 * `bench --quick` runs each of its scenarios once on a small shop, and the quick resilience scenarios run.
 * Stops at the first check that fails. The last line counts tests, and each other check as one.
 *
 * `npm run test:quick`: the same without a browser and without starting whole programs.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { preferMemoryFolder } from './memory-folder.ts'

const root = join(import.meta.dirname, '..')
preferMemoryFolder()
const folder = await mkdtemp(join(tmpdir(), 'thrum-check-'))
const results = join(folder, 'tests.json')
const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`

const isQuick = process.argv.includes('--quick')
const checks = ['biome ci .', 'tsc -b', 'knip']
const tests = `vitest run${isQuick ? ' --project=api' : ''} --reporter=default --reporter=json --outputFile.json=${results}`
const last = isQuick ? [] : ['node bench/bench.ts --quick', 'node test/resilience/run.ts --quick']

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
for (const check of checks) {
  if (await succeeds(check)) passed++
  else {
    failed++
    break
  }
}
if (failed === 0) {
  const run = await runTests()
  passed += run.passed
  failed += run.failed
}
if (failed === 0) {
  for (const program of last) {
    if (await succeeds(program)) passed++
    else failed++
  }
}
await rm(folder, { recursive: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
