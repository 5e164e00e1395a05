import type { Parameter } from './calls.ts'

/** Malicious values, which row 22 puts everywhere. */

/** JSON that is invalid in every field. */
export const values = [
  '"a\\u0000b"',
  '"\\ud83e"',
  '"\\udfff\\ud800"',
  'true',
  '[2]',
  '{"$ne":1}',
  '{"toString":1}',
  '{"__proto__":1}',
  '1e400',
  '-1',
  '1e21',
  'null',
]

const LEVELS = 10_000
/** A deeply nested JSON object, whose field no call has. */
export const DEEP = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`
/** Invalid bodies. */
export const bodies = [
  `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`,
  '['.repeat(LEVELS),
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{',
  '[]',
  'true',
  '"text"',
  '\0',
]

/** Content types that no call accepts. */
export const types = [
  'text/plain',
  'application/xml',
  'banana',
  '/',
  'application/json, application/json',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
]

/** Invalid ids. */
export const ids = [
  '9223372036854775808',
  '9007199254740992',
  '-1',
  '0',
  '1.5',
  '__proto__',
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%',
  'true',
  '[2]',
  'x'.repeat(1000),
]

const texts = [
  '',
  ' ',
  '-1',
  '1.5',
  '1e400',
  '9223372036854775808',
  'NaN',
  'true',
  '[2]',
  '{"$ne":1}',
  '__proto__',
]

/** Texts that a parameter's documentation excludes, some too long. */
export const textsAgainst = ({ schema }: Pick<Parameter, 'schema'>): string[] =>
  [...texts, 'x'.repeat(1000)].filter(text =>
    schema.enum
      ? !schema.enum.includes(text)
      : schema.pattern
        ? !new RegExp(schema.pattern).test(text)
        : text.trim() === '' || text.length > 200,
  )

/** Invalid queries for this parameter: such texts, NUL, and repetition. */
export function queriesFor({ name, schema }: Parameter): string[] {
  const against =
    name === 'cursor' ? [...texts, 'x'.repeat(1000)].filter(text => text !== '') : textsAgainst({ schema })
  return [
    ...against.map(text => `?${name}=${encodeURIComponent(text)}`),
    `?${name}=%00`,
    `?${name}=a%00b`,
    `?${name}=1&${name}=2`,
  ]
}

/** Queries with unknown parameters. */
export const strayQueries = [
  '?__proto__=1',
  '?__proto__[admin]=true',
  '?constructor=1',
  '?x=%00',
  '?x=%ED%A0%80',
  '?%00=1',
  '?limit[]=1',
  '?[2]',
  '?%',
  `?${'a=1&'.repeat(2000)}`,
]

/** Unknown cookies. */
export const cookies = [
  'session=',
  'session=%00',
  'session=%E0%A4%A',
  'session=__proto__',
  'session=9223372036854775808',
  'session=[2]; session=true',
  'session[admin]=1',
  '__proto__=1',
  '=;;=',
  `session=${'x'.repeat(4000)}`,
]

/** Arbitrary headers. */
export const headers: Record<string, string>[] = [
  { accept: '' },
  { accept: 'x' },
  { accept: '*/*;q=banana' },
  { 'accept-encoding': 'br;q=banana, \xff, identity;q=0' },
  { 'accept-language': '__proto__' },
  { 'if-none-match': '*' },
  { 'if-none-match': '"' },
  { 'if-none-match': Array(1000).fill('W/"x"').join() },
  { 'if-modified-since': '9223372036854775808' },
  { range: 'bytes=9-1' },
  { 'idempotency-key': '\xe9 \xff' },
  { 'x-forwarded-for': '__proto__' },
  { 'x-request-id': '9223372036854775808' },
  { 'user-agent': '\xff'.repeat(1000) },
]

const part = (name: string, content: string) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  payload: `--x\r\ncontent-disposition: form-data; ${name}\r\n\r\n${content}\r\n--x--\r\n`,
})
/** Forms without a picture. */
export const forms = [
  part('name="image"; filename="a.png"', ''),
  part('name="image"; filename="a\0b.png"', 'a\0b'),
  part('name="image"; filename="../../a.png"', '\x89PNG\r\n\x1a\n'),
  part('name="__proto__"; filename="a.png"', 'x'),
  part('name="constructor"', 'true'),
  part('name="image"', '[2]'),
  part('filename="a.png"', 'x'),
]
