import { defineConfig } from 'vitest/config'

/**
 * `vitest run` runs everything; `--project api` or `--project browser` one half. Timeouts only end what hangs, also
 * on a machine with other load.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'api',
          // More than the cores, because some tests wait.
          maxWorkers: 3,
          include: ['src/**/*.test.ts', 'test/{architecture,integration}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Files of a worker share modules, because loading the shop took as long as the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // As above, with one browser for all files of a worker.
          isolate: false,
        },
      },
    ],
  },
})
