import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { settingNames } from '../../src/config.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const pages = ['*.md', 'docs/**/*.md'].flatMap(pattern => globSync(pattern, { cwd: root }))

test('every link inside the project leads somewhere', () => {
  const broken = pages.flatMap(page =>
    [...read(page).matchAll(/(?<!!)\[[^\]]+\]\((?!\w+:|#)([^)#]+)/g)]
      .map(([, to = '']) => join(dirname(page), to))
      .filter(to => !existsSync(join(root, to)))
      .map(to => `${page}: ${to}`),
  )
  expect(broken).toEqual([])
})

test('the README names every setting and every script', () => {
  const readme = read('README.md')
  for (const name of settingNames) expect(readme).toContain(`\`${name}\``)
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const name of Object.keys(scripts)) {
    expect(readme).toMatch(new RegExp(`npm (run )?${name}\\b`))
  }
})

test('the code that STYLE.md quotes is the code', () => {
  const quotes = [...read('STYLE.md').matchAll(/```tsx?\n\/\/ (src\/\S+)\n([^`]+(?:`[^`\n]+`[^`]+)*)```/g)]
  expect(quotes.length).toBeGreaterThan(5)
  const flat = (source: string) => source.replace(/\s+/g, '')
  for (const [, name = '', quote = ''] of quotes) expect(flat(read(name)), quote).toContain(flat(quote))
})
