/**
 * `npm run mutations`: makes one small change of the source after the other, each in a copy, and runs the tests that should
 * fail. Prints the mutants that survived, and the score.
 *
 *   npm run mutations                          the features' files; notes are in docs/mutations.md
 *   npm run mutations -- src/features/cart/cart.ts      these files alone (any part of their names)
 *   npm run mutations -- --pages               the pages instead: their browser tests, far slower
 *   npm run mutations -- --sample 50 --seed 2  a random sample
 *   npm run mutations -- --minutes 30          stops after so long; the next run continues
 *
 * Results are cached in node_modules/.cache/mutations until a source or this program changes; `--fresh` clears them.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../src/platform/embedded-postgres/embedded.ts'
import { ensureBuilt } from './build.ts'
import { countArgument, readArguments } from './cli/read-arguments.ts'
import { type Mutant, mutantsOf } from './mutations/mutants.ts'

const root = join(import.meta.dirname, '..')
const { values, arguments: parts } = readArguments(
  'npm run mutations -- [FILE …] [--pages] [--sample COUNT] [--seed TEXT] [--minutes COUNT] [--fresh]',
  { options: ['sample', 'seed', 'minutes'], flags: ['pages', 'fresh'], most: 100 },
)
const minutes = countArgument(values.minutes, '--minutes', 600)
const sample = countArgument(values.sample, '--sample', Number.POSITIVE_INFINITY)

/** Mutated files, and their tests, the most specific first, since the first failure ends the run. */
const serverFiles: Record<string, string[]> = {
  'src/features/orders/{orders,preconditions}.ts': [
    'src/features/orders',
    'src/features/cart/bounds.test.ts',
    'src/platform/http/metrics.test.ts',
  ],
  'src/features/cart/{cart,add-to-cart}.ts': ['src/features/cart', 'src/features/orders/orders.test.ts'],
  'src/features/{products/mean-rating,reviews/reviews,reviews/sorts}.ts': ['src/features/reviews'],
  'src/features/products/stock.ts': [
    'src/features/orders',
    'src/features/products/{ledger,products,restock}.test.ts',
  ],
  'src/features/accounts/{accounts,session-store,passwords}.ts': [
    'src/features/accounts',
    'src/features/favourites',
    'src/platform/http/body-limits.test.ts',
    'src/cleanup-job.test.ts',
    'test/integration/{demo,demo-login}.test.ts',
  ],
}
const pages: Record<string, string[]> = {
  'src/features/orders/web/*.{ts,tsx}': ['test/e2e/{buying,leaving,moments,checkout}.test.ts'],
  'src/features/cart/web/*.{ts,tsx}': ['test/e2e/{buying,checkout,immediate,moments}.test.ts'],
  'src/features/reviews/web/*.{ts,tsx}': ['test/e2e/{reviewing,review-refusals,answering}.test.ts'],
  'src/features/accounts/web/*.{ts,tsx}': [
    'test/e2e/{signing-in,signing-up,menu,security-page,account-page}.test.ts',
    'test/e2e/{passkey-pages,passkey-login-page}.test.ts',
  ],
}

const folder = join(root, 'node_modules/.cache/mutations')
const programs = ['mutations/mutants.ts', 'mutations.ts'].map(name =>
  readFileSync(join(import.meta.dirname, name)),
)
const version = createHash('sha256').update(Buffer.concat(programs)).digest('hex').slice(0, 8)
const until = performance.now() + minutes * 60_000

type Outcome = 'killed' | 'survived'
interface Result extends Mutant {
  outcome: Outcome
}

/** A copy without node_modules, which is linked. */
function copyOfShop(): string {
  const copy = mkdtempSync(join(tmpdir(), 'thrum-mutations-'))
  const left = /(?:^|\/)(?:node_modules|\.git|data)$/
  cpSync(root, copy, { recursive: true, filter: from => !left.test(from.slice(root.length)) })
  mkdirSync(join(copy, 'node_modules'))
  for (const name of globSync(['*', '.bin'], { cwd: join(root, 'node_modules') }))
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  return copy
}

/** A random sample without repetition, by seed. */
function drawn<T>(all: T[], count: number, seed: string): T[] {
  const rank = (_: T, n: number) => createHash('sha256').update(`${seed} ${n}`).digest('hex')
  const ranked = all.map((each, n) => ({ each, rank: rank(each, n) }))
  return ranked
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ each }) => each)
}

const key = ({ file, start, end, text }: Mutant) =>
  createHash('sha256')
    .update(`${version} ${readFileSync(join(root, file), 'utf8')} ${file} ${start} ${end} ${text}`)
    .digest('hex')
const known = (mutant: Mutant): Result | undefined => {
  const path = join(folder, `${key(mutant)}.json`)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

async function main(): Promise<void> {
  if (values.fresh) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const wanted = (file: string) => parts.length === 0 || parts.some(part => file.includes(part))
  const testsOf = new Map<string, string[]>()
  for (const [pattern, tests] of Object.entries(values.pages ? pages : serverFiles))
    for (const file of globSync(pattern, { cwd: root }).sort())
      if (wanted(file) && !/\.(test|d)\.ts$/.test(file)) testsOf.set(file, globSync(tests, { cwd: root }))
  const all = [...testsOf.keys()].flatMap(file => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  const chosen = values.sample ? drawn(all, sample, values.seed ?? '1') : all
  if (all.length === 0) {
    console.error(`There is nothing to change in files named ${parts.join(' or ')}`)
    process.exitCode = 1
    return
  }
  console.log(`${chosen.length} of ${all.length} mutants in ${testsOf.size} files`)

  const copy = copyOfShop()
  // One database server for all runs. Server mutants do not change pages, so the pages are built once.
  const data = mkdtempSync(join(tmpdir(), 'thrum-mutations-data-'))
  chmodSync(data, 0o755)
  const server = await startEmbedded({
    dataDir: join(data, 'postgres'),
    log: () => {},
    settings: { fsync: 'off', max_connections: '200' },
  })
  const { host, port, user, database } = server.connection
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}${port ? `&port=${port}` : ''}`,
    ...(values.pages ? {} : { TEST_BUILD: await ensureBuilt(() => {}) }),
  }
  const projects = values.pages ? ['journeys', 'browser'] : ['quick', 'api', 'slow', 'programs']
  /** Output of the last failure. */
  let output = ''
  /** Whether the tests pass. Each run is a new process, so that no module is cached. */
  const hold = (file: string): boolean => {
    const args = [
      'run',
      ...projects.flatMap(name => ['--project', name]),
      '--bail',
      '1',
      '--reporter',
      'dot',
      ...(testsOf.get(file) ?? []),
    ]
    const run = spawnSync(join(root, 'node_modules/.bin/vitest'), args, { cwd: copy, encoding: 'utf8', env })
    output = run.stdout.slice(-2_000) + run.stderr.slice(-2_000)
    return run.status === 0
  }
  const results: Result[] = []
  const sound = new Set<string>()
  try {
    for (const mutant of chosen) {
      const before = known(mutant)
      if (before) {
        results.push(before)
        continue
      }
      if (performance.now() > until) break
      const { file, line, was, text } = mutant
      // Tests that fail without a mutation would kill every mutant.
      if (!sound.has(file) && !hold(file)) throw new Error(`As it is, ${file} fails its tests:\n${output}`)
      sound.add(file)
      const source = readFileSync(join(root, file), 'utf8')
      writeFileSync(join(copy, file), source.slice(0, mutant.start) + text + source.slice(mutant.end))
      const began = performance.now()
      const outcome: Outcome = hold(file) ? 'survived' : 'killed'
      writeFileSync(join(copy, file), source)
      const result = { ...mutant, outcome }
      writeFileSync(join(folder, `${key(mutant)}.json`), JSON.stringify(result))
      results.push(result)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      console.log(`${outcome} ${seconds} s  ${file}:${line}  ${short(was)} → ${short(text)}`)
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
    await server.stop()
    rmSync(data, { recursive: true, force: true })
  }
  const survivors = results.filter(({ outcome }) => outcome === 'survived')
  console.log(`\nSurvived:`)
  for (const { file, line, was, text } of survivors)
    console.log(`${file}:${line}  ${short(was)} → ${short(text)}`)
  const killed = results.length - survivors.length
  const score = results.length === 0 ? 0 : Math.round((1000 * killed) / results.length) / 10
  console.log(
    `\n${killed} of ${results.length} killed, ${score} %; ${chosen.length - results.length} not tried yet`,
  )
}

const short = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length > 70 ? `${flat.slice(0, 67)}…` : flat || '(nothing)'
}

await main()
