import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const document = read('docs/specification.md')

/** A statement of the specification, and the tests that show it. */
const rows = document
  .split('\n')
  .filter(line => line.startsWith('| ') && !/^\| (Statement|-+) +\|/.test(line))
  .map(line => {
    const [statement = '', shown = ''] = line
      .slice(2, -2)
      .split(' | ')
      .map(cell => cell.trim())
    const tests = [...shown.matchAll(/`([^`]+)` "([^"]+)"/g)].map(([, file = '', title = '']) => ({
      file,
      title,
    }))
    return { statement, shown, tests }
  })

/** The titles of a file's tests as its source writes them, `test.each` with its placeholders. */
const titlesIn = (file: string): string[] =>
  [...read(file).matchAll(/(?:\btest|\))\(\s*(['"`])(.+?)\1\s*,/g)].map(([, , title = '']) => title)

test('every statement names a test, and nothing beside tests', () => {
  for (const { statement, shown, tests } of rows) {
    expect(tests.length, statement).toBeGreaterThan(0)
    expect(tests.map(({ file, title }) => `\`${file}\` "${title}"`).join('; '), statement).toBe(shown)
  }
})

test('every test that is named exists', () => {
  const files = new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)))
  expect([...files].filter(file => !existsSync(join(root, file)))).toEqual([])
  const titles = new Map([...files].map(file => [file, titlesIn(file)]))
  const missing = rows.flatMap(({ statement, tests }) =>
    tests
      .filter(({ file, title }) => !titles.get(file)?.includes(title))
      .map(({ file, title }) => `${statement}: ${file} "${title}"`),
  )
  expect(missing).toEqual([])
})

test('every fixed text stands in a test that is named for it', () => {
  const absent = rows.flatMap(({ statement, tests }) => {
    const sources = tests.map(({ file }) => read(file)).join('\n')
    const texts = [...statement.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text)
    return texts.filter(text => !sources.includes(text)).map(text => `${statement}: ${text}`)
  })
  expect(absent).toEqual([])
})

test('no statement is lost', () => {
  for (const section of [2, 3, 4, 5, 6, 7, 8, 9])
    expect(document).toMatch(new RegExp(`^## ${section}\\. `, 'm'))
  expect(rows.length).toBeGreaterThanOrEqual(391)
})
