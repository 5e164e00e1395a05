import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { preferMemoryFolder } from './test/support/memory-folder.ts'

const features = readdirSync(join(import.meta.dirname, 'src/features'))

/**
 * What `npm run test:quick` runs: the architecture, the test file of each feature that has its name, and what notices a field
 * that is forgotten somewhere.
 */
const quick: string[] = [
  'test/architecture/*.test.ts',
  'test/integration/{listing-fields,personal-data}.test.ts',
  'src/{config,foreign-keys,schema}.test.ts',
  'src/features/products/details.test.ts',
  ...features.map(name => `src/features/${name}/${name}.test.ts`),
]

/** Every call as everybody, with broken input, with each method and from other sites; each form; what takes half a minute. */
const slow: string[] = [
  'src/features/checkout/random-carts.test.ts',
  'src/features/personal-data/export-files.test.ts',
  'src/platform/mail/delivery.test.ts',
  'test/integration/cache-freshness.test.ts',
  'test/integration/csrf.test.ts',
  'test/integration/methods.test.ts',
  'test/integration/permissions.test.ts',
  'test/integration/redirects.test.ts',
]

/** Tests that start whole programs: shops, database servers, object stores. */
export const programs: string[] = [
  'scripts/backup/*.test.ts',
  'scripts/mail/mail-command.test.ts',
  'scripts/shop/shop-command.test.ts',
  'src/features/images/store*.test.ts',
  'src/features/personal-data/stored-stream.test.ts',
  'src/platform/cluster/*.test.ts',
  'src/platform/embedded-postgres/*.test.ts',
  'src/platform/storage/files.test.ts',
  'test/integration/cluster.test.ts',
  'test/integration/connections.test.ts',
  'test/integration/data-exports.test.ts',
  'test/integration/demo.test.ts',
  'test/integration/demo-login.test.ts',
  'test/integration/metrics-port.test.ts',
  'test/integration/multi-node.test.ts',
  'test/integration/overload.test.ts',
  'test/integration/resilience.test.ts',
  'test/integration/rolling-upgrade.test.ts',
  'test/integration/upgrades.test.ts',
]
const api = ['{demo,src,scripts}/**/*.test.ts', 'test/integration/*.test.ts']

/** What people come for: finding, buying and selling. */
const journeys: string[] = ['test/e2e/{buying,finding,selling,signing-up}.test.ts']

preferMemoryFolder()

// Loading the whole shop anew took most files as long as their tests: those of a worker share it, and its browser.
const isolate = false

const withoutBrowser = { isolate, maxWorkers: 3, testTimeout: 60_000, hookTimeout: 60_000 }
const withBrowser = { isolate, maxWorkers: 2, testTimeout: 180_000, hookTimeout: 120_000 }

/**
 * `vitest run` runs everything, `vitest run --project api` one project. Time limits only end tests that hang: they also hold on
 * a busy machine. A browser uses a core and more, so that two workers with one each are faster than three. Programs are started
 * while nothing else is tested: some of them are overloaded on purpose.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/setup.ts'],
    expect: { poll: { timeout: 15_000 } },
    projects: [
      project('quick', 1, { ...withoutBrowser, include: quick }),
      project('api', 1, { ...withoutBrowser, include: api, exclude: [...quick, ...slow, ...programs] }),
      project('slow', 1, { ...withoutBrowser, include: slow }),
      project('programs', 2, { ...withBrowser, include: programs }),
      project('journeys', 3, { ...withBrowser, include: journeys }),
      project('browser', 3, { ...withBrowser, include: ['test/e2e/*.test.ts'], exclude: journeys }),
    ],
  },
})

/** @param order projects of a lower order run before */
function project(name: string, order: number, test: object) {
  return { extends: true as const, test: { name, sequence: { groupOrder: order }, ...test } }
}
