import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { programs } from '../../vitest.config.ts'
import { imports, type Rule, type SourceTree, text } from '../support/source-tree.ts'

const root = join(import.meta.dirname, '../..')
const tree: SourceTree = Object.fromEntries(
  globSync(['test/**/*.ts', '{src,scripts}/**/*.test.ts', 'bench/*.ts'], { cwd: root })
    // This file contains the forbidden terms.
    .filter(name => name !== 'test/architecture/test-folders.test.ts')
    .map(name => [name, readFileSync(join(root, name), 'utf8')]),
)
const isTest = (name: string) => name.endsWith('.test.ts')
const isApiTest = (name: string) =>
  isTest(name) && !name.startsWith('test/e2e/') && !programs.some(pattern => posix.matchesGlob(name, pattern))

/** Helpers that start whole programs: shops, database servers, object stores. */
const STARTERS =
  /^test\/support\/(harness|launch|external-postgres|embedded-postgres|replica-harness|s3-server)\.ts$/

/** Each rule with source trees that break it. */
const rules: Record<string, { rule: Rule; broken: SourceTree[] }> = {
  'helpers import no test and no scenario': {
    rule: imports(
      name => name.startsWith('test/support/'),
      to => !/^test\/(?!support\/)/.test(to) && !isTest(to),
    ),
    broken: [
      { 'test/support/harness.ts': "import { scenario } from '../resilience/19-overload.ts'" },
      { 'test/support/browser/steps.ts': "import { lasts } from '../../e2e/moments.test.ts'" },
      { 'test/support/fixtures.ts': "const { some } = await import('../../src/features/cart/cart.test.ts')" },
    ],
  },
  'test/resilience has scenarios and what runs them; helpers are in test/support': {
    rule: tree =>
      Object.keys(tree).filter(name => /^test\/resilience\/(?!(?:\d\d-[\w-]+|run|run-one)\.ts$)/.test(name)),
    broken: [{ 'test/resilience/flood.ts': '' }],
  },
  'no test imports a test': {
    rule: imports(isTest, to => !isTest(to)),
    broken: [{ 'test/e2e/buying.test.ts': "import { buy } from './selling.test.ts'" }],
  },
  'tests that start whole programs are listed in vitest.config.ts, and run alone': {
    rule: tree => [
      ...imports(isApiTest, to => !STARTERS.test(to))(tree),
      ...text(isApiTest, /\b(?:spawn|fork|startEmbedded)\(/g)(tree),
    ],
    broken: [
      { 'test/integration/nothing.test.ts': "import { withShop } from '../support/harness.ts'" },
      { 'src/features/cart/cart.test.ts': "const child = spawn('sleep', ['60'])" },
    ],
  },
  'no test waits for a number of milliseconds in the browser, and none is tried again': {
    rule: text(() => true, /\bwaitForTimeout\(|\bretry: /g),
    broken: [
      { 'test/e2e/buying.test.ts': 'await page.waitForTimeout(500)' },
      { 'src/features/cart/cart.test.ts': "test('adding', { retry: 2 }, add)" },
    ],
  },
}

test.each(Object.entries(rules))('%s', (_, { rule, broken }) => {
  expect(broken.map(rule)).not.toContainEqual([])
  expect(rule(tree)).toEqual([])
})
