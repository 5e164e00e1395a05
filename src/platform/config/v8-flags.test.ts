import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const { start } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
const flags: string[] = start.match(/--\S+/g)

/** What a program prints that runs as the shop does. */
const seen = (program: string, more: string[] = []) =>
  execFileSync(
    process.execPath,
    [
      ...flags,
      ...more,
      '--input-type=module',
      '-e',
      `import { giveBackMemory } from './src/platform/config/v8-flags.ts'\n${program}`,
    ],
    { cwd: root, encoding: 'utf8' },
  )

test('young objects have the 4 MB that they are given', () => {
  const most = seen(`
    import { getHeapSpaceStatistics } from 'node:v8'
    giveBackMemory()
    let most = 0
    let held = []
    for (let n = 0; n < 300_000; n++) {
      if (n % 2_000 === 0) held = []
      held.push({ n })
      if (n % 1_000 > 0) continue
      const young = getHeapSpaceStatistics().find(space => space.space_name === 'new_space')
      most = Math.max(most, young.space_used_size)
    }
    console.log(most)`)
  expect(Number(most)).toBeGreaterThan(3 * 2 ** 20)
})

test('what is collected is given back', () => {
  const grow = 'const held = []\nfor (let n = 0; n < 1_000_000; n++) held.push({ n })'
  expect(seen(`giveBackMemory()\n${grow}`, ['--trace-gc'])).toContain('Mark-Compact (reduce)')
  expect(seen(grow, ['--trace-gc'])).toMatch(/Mark-Compact [^(]/)
})
