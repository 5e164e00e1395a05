import { expect, test } from 'vitest'
import { blanksOf, stepsOf } from './markdown.ts'

const words = (text: string) =>
  stepsOf(text)
    .map(({ words }) => words ?? '')
    .join('')
const tagsOf = (text: string) => stepsOf(text).flatMap(({ kind, tag }) => (kind === 'begin' ? [tag] : []))
const links = (text: string) => stepsOf(text).flatMap(({ href }) => href ?? [])

test('a text becomes headings below the title, paragraphs, lists and links', () => {
  expect(tagsOf('# One\n\nA *b* **c** `d`\n\n- x\n- y\n\n3. z\n\n> q\n\n---\n\n##### Deep')).toEqual([
    ...['h2', 'p', 'em', 'strong', 'code', 'ul', 'li', 'li', 'ol', 'li', 'blockquote', 'p', 'hr', 'h4'],
  ])
  expect(stepsOf('3. z')[0]).toEqual({ kind: 'begin', tag: 'ol', start: 3 })
  expect(stepsOf('[Mugs](/search?q=mug)')[1]).toEqual({ kind: 'begin', tag: 'a', href: '/search?q=mug' })
})

test('every element that begins ends', () => {
  for (const text of [
    '> - *a [b](/c) **d***\n>   1. e',
    '- a\n\n  b\n- c',
    '**a *b** c*',
    '```\n<b>',
    '[a](/b)  \nc',
  ]) {
    const open: unknown[] = []
    for (const { kind, tag } of stepsOf(text)) {
      if (kind === 'begin') open.push(tag)
      if (kind === 'end') expect(open.pop()).toBe(tag)
    }
    expect(open).toEqual([])
  }
})

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
  '<!-- hidden --> <iframe srcdoc="<script>1</script>"></iframe>',
  '> - <svg onload=alert(1)>\n>   <b>**x**</b>',
  '<style>*{display:none}</style>',
]
test('HTML is words, however deep it stands', () => {
  for (const text of HOSTILE) {
    expect(words(text).replaceAll(/\s/g, '')).toContain(/<[^>]*>/.exec(text)?.[0].replaceAll(/\s/g, ''))
    for (const tag of tagsOf(text)) expect(['p', 'blockquote', 'ul', 'li', 'strong']).toContain(tag)
    expect(links(text)).toEqual([])
  }
})

test('a link leads to this shop, the web, a letter or a telephone, and nowhere else', () => {
  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java&#x0A;script:alert(1)',
    '&#106;avascript:alert(1)',
    '%6aavascript:alert(1)',
    'vbscript:x',
    'data:text/html;base64,PHNjcmlwdD4=',
    'data:image/svg+xml,x',
    'file:///etc/passwd',
    'blob:x',
    '//evil.example',
    '\\\\evil.example',
  ])
    for (const text of [`[a](${address})`, `[a](<${address}>)`, `<${address}>`, `[a]\n\n[a]: ${address}`])
      expect([text, links(text)]).toEqual([text, []])
  const good = [
    'https://a.example/b',
    'http://a.example',
    'mailto:a@b.example',
    'tel:+4312345',
    '#top',
    '/terms',
  ]
  for (const address of good) expect(links(`[a](${address})`)).toEqual([address])
  // The parser encodes a backslash, which browsers read as a slash.
  expect(links('[a](/\\evil.example)')).toEqual(['/%5Cevil.example'])
  expect(links('<https://a.example/>')).toEqual(['https://a.example/'])
})

test('pictures and tables are words', () => {
  expect(tagsOf('![x](https://evil.example/track.gif)')).not.toContain('img')
  expect(links('![x](data:image/png;base64,AAAA)')).toEqual([])
  expect(tagsOf('| a |\n| - |\n| b |')).toEqual(['p'])
})

test('blanks are what is in brackets and no link', () => {
  expect(blanksOf('Write to [email address], [names] and [email address]. See [terms](/terms).')).toEqual([
    '[email address]',
    '[names]',
  ])
  expect(blanksOf('No blanks.')).toEqual([])
})

test('deep nesting and long runs are read in time', () => {
  const begun = performance.now()
  stepsOf('> '.repeat(20_000))
  stepsOf('*a '.repeat(15_000))
  stepsOf('['.repeat(50_000))
  expect(performance.now() - begun).toBeLessThan(5_000)
})
