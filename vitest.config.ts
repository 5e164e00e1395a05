import { defineConfig } from 'vitest/config'
import { preferMemoryFolder } from './scripts/memory-folder.ts'

/** Tests that start whole programs: shops, database servers, object stores. `npm run test:quick` leaves them out. */
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
const api = ['{src,scripts}/**/*.test.ts', 'test/{architecture,integration}/**/*.test.ts']

preferMemoryFolder()

// Loading the whole shop anew took most files as long as their tests: those of a worker share it, and its browser.
const isolate = false

/**
 * `vitest run` runs everything, one project after the other; `vitest run --project api`, `browser` or `programs` a part. Time
 * limits only end tests that hang: they also hold on a busy machine. A browser uses a core and more, so that two workers with
 * one each are faster than three. Programs are started while nothing else is tested: some of them are overloaded on purpose.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/setup.ts'],
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          isolate,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          name: 'api',
          include: api,
          exclude: programs,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          isolate,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
          name: 'browser',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          isolate,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          name: 'programs',
          include: programs,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
