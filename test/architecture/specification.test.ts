import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ListingFields } from '#products/contract.ts'
import { testsIn } from '../support/named-tests.ts'
import { textFieldsOf } from '../support/text-fields.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const document = read('docs/specification.md')

/** A statement of the specification with its tests. */
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

/** File → title of each test, as in its source → text. */
const titles = new Map<string, Map<string, string>>()
function testsOf(file: string): Map<string, string> {
  const known = titles.get(file) ?? testsIn(join(root, file))
  titles.set(file, known)
  return known
}

test('every statement names tests, and nothing else', () => {
  for (const { statement, shown, tests } of rows) {
    expect(tests.length, statement).toBeGreaterThan(0)
    expect(tests.map(({ file, title }) => `\`${file}\` "${title}"`).join('; '), statement).toBe(shown)
  }
})

test('every named test exists', () => {
  const files = new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)))
  expect([...files].filter(file => !existsSync(join(root, file)))).toEqual([])
  const missing = rows.flatMap(({ statement, tests }) =>
    tests
      .filter(({ file, title }) => !testsOf(file).has(title))
      .map(({ file, title }) => `${statement}: ${file} "${title}"`),
  )
  expect(missing).toEqual([])
})

test('every fixed text is in a test named for it', () => {
  const absent = rows.flatMap(({ statement, tests }) => {
    const sources = tests.map(({ file, title }) => testsOf(file).get(title)).join('\n')
    const texts = [...statement.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text)
    return texts.filter(text => !sources.includes(text)).map(text => `${statement}: ${text}`)
  })
  expect(absent).toEqual([])
})

test('every text of a listing has a statement with its length, and a word in the changelog', () => {
  const untested = Object.values(textFieldsOf(ListingFields)).filter(
    ({ label, max }) =>
      !rows.some(({ statement }) => statement.includes(label) && statement.includes(`${max} characters`)),
  )
  expect(untested).toEqual([])
  for (const { label } of Object.values(textFieldsOf(ListingFields)))
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`\\b${label}\\b`, 'i'))
})

test('no statement is missing', () => {
  for (const section of [2, 3, 4, 5, 6, 7, 8, 9])
    expect(document).toMatch(new RegExp(`^## ${section}\\. `, 'm'))
  expect(rows.length).toBeGreaterThanOrEqual(391)
})
