import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { settingNames } from '../../src/config.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const pages = ['*.md', 'docs/**/*.md'].flatMap(pattern => globSync(pattern, { cwd: root }))

test('every internal link resolves', () => {
  const broken = pages.flatMap(page =>
    [...read(page).matchAll(/(?<!!)\[[^\]]+\]\((?!\w+:|#)([^)#]+)/g)]
      .map(([, to = '']) => join(dirname(page), to))
      .filter(to => !existsSync(join(root, to)))
      .map(to => `${page}: ${to}`),
  )
  expect(broken).toEqual([])
})

test('every path in documents exists', () => {
  const folders = 'assets|bench|demo|deploy|docs|migrations|scripts|src|test'
  const named = pages.flatMap(page =>
    [...read(page).matchAll(new RegExp(`\`((?:${folders})/[\\w./-]+)\``, 'g'))].map(([, path = '']) => ({
      page,
      path,
    })),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

test('every link to a heading resolves', () => {
  const headings = (page: string) =>
    [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replace(/\s/g, '-'),
    )
  const links = pages.flatMap(page =>
    [...read(page).matchAll(/(?<!!)\[[^\]]+\]\((?!\w+:)([^)#]*)#([^)]+)/g)].map(
      ([, to = '', heading = '']) => ({
        from: page,
        to: to === '' ? page : join(dirname(page), to),
        heading,
      }),
    ),
  )
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter(({ to, heading }) => !headings(to).includes(heading))).toEqual([])
})

test('docs/operations.md names every setting, and CONTRIBUTING every script', () => {
  const operations = read('docs/operations.md')
  for (const name of settingNames) expect(operations).toContain(`\`${name}\``)
  const contributing = read('CONTRIBUTING.md')
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const name of Object.keys(scripts)) {
    expect(contributing).toMatch(new RegExp(`npm (run )?${name}\\b`))
  }
})

test('the code that STYLE.md quotes exists', () => {
  const quotes = [...read('STYLE.md').matchAll(/```tsx?\n\/\/ (src\/\S+)\n([^`]+(?:`[^`\n]+`[^`]+)*)```/g)]
  expect(quotes.length).toBeGreaterThan(5)
  const flat = (source: string) => source.replace(/\s+/g, '')
  for (const [, name = '', quote = ''] of quotes) expect(flat(read(name)), quote).toContain(flat(quote))
})

/** Number → lines of an ADR: { '0009': ['# 9. Response cache', …] }. */
const records = Object.fromEntries(
  globSync('docs/adr/[0-9]*.md', { cwd: root }).map(page => [
    page.slice(9, 13),
    read(page).trimEnd().split('\n'),
  ]),
)

test('there are at most twenty ADRs, each dated, with a status and its sections, and under 40 lines', () => {
  expect(Object.keys(records).length).toBeGreaterThan(15)
  expect(Object.keys(records).length).toBeLessThanOrEqual(20)
  for (const [number, lines] of Object.entries(records)) {
    const [title = '', , status = '', date = ''] = lines
    expect(title).toMatch(new RegExp(`^# ${Number(number)}\\. \\w`))
    expect(status, title).toMatch(/^- Status: (Accepted|Superseded by \d{4})$/)
    expect(date, title).toMatch(/^- Date: \d{4}-\d{2}-\d{2}/)
    expect(lines.filter(line => line.startsWith('## '))).toEqual([
      '## Context',
      '## Decision',
      '## Consequences',
    ])
    expect(lines.length, title).toBeLessThan(40)
    expect(Math.max(...lines.map(line => line.length)), title).toBeLessThanOrEqual(120)
    expect(read('docs/adr/README.md')).toContain(`](${number}-`)
  }
})

test('every ADR that is referred to exists', () => {
  const files = ['{src,scripts,test,bench,migrations}/**/*.{ts,tsx,css,sql}', '*.md', 'docs/**/*.md']
  const named = files
    .flatMap(pattern => globSync(pattern, { cwd: root }))
    .flatMap(file => [...read(file).matchAll(/\bADRs? (\d+)|docs\/adr\/(\d{4})/g)])
    .map(([, number, name]) => number ?? name ?? '')
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(number => !(number in records))).toEqual([])
})
