import { defineConfig } from 'vitest/config'

/**
 * `vitest run` runs everything; `vitest run --project api` or `--project browser` one half. No limit of time here says how
 * fast the shop is: they end what hangs, on a machine that is busy with other things as well.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'api',
          // One more than there are cores at least: some tests wait.
          maxWorkers: 3,
          include: ['src/**/*.test.ts', 'test/{architecture,integration}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Loading the whole shop anew took most files as long as their tests: those of a worker share it.
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
          // As above, and one browser does for all files of a worker.
          isolate: false,
        },
      },
    ],
  },
})
