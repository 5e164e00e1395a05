import fc from 'fast-check'
import type { Call } from '#contract'

/** What nobody sends by accident: texts, numbers, bodies, paths, queries and headers to trip over. */

const nastyTexts = [
  '',
  ' ',
  '\0',
  'x\0y',
  '\ud83e',
  '\udfff\ud800',
  '🧶'.repeat(60),
  'x'.repeat(3000),
  '__proto__',
]
const moreTexts = [
  "' or 1=1 --",
  '{{7*7}}',
  '<script>',
  '../../etc/passwd',
  '\r\nset-cookie: a=b',
  '%00',
  '%s%n',
  '\u202e',
]
const text = fc.oneof(
  fc.constantFrom(...nastyTexts, ...moreTexts),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const number = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    -1,
    1,
    2,
    5,
    30,
    31,
    1.005,
    0.1 + 0.2,
    1e21,
    -1e21,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    5e-324,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
)
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, [2], [], {}, { $ne: 1 }, { toString: 1 }, { length: 7 }, [[[]]]),
  fc.jsonValue({ maxDepth: 3 }),
)
const value = fc.oneof(text, number, odd)
const good: Record<string, unknown> = {
  ...{
    email: 'eve@example.com',
    first_name: 'Eve',
    last_name: 'Adams',
    username: 'evelyn',
    password: 'secret-1',
  },
  ...{ name: 'Mug', category: 'Home & Living', description: 'Blue', price: 9.5, stock: 3 },
  ...{ quantity: 1, review: 'Fine', stars: 4, id: 7 },
}

/** Bodies like the one the call takes, with something wrong in one place or everywhere; and bodies unlike any. */
function bodyFor(call: Call): fc.Arbitrary<unknown> {
  const fields = Object.keys((call.body as { shape?: object } | undefined)?.shape ?? { quantity: 1 })
  const near = fc.record(
    Object.fromEntries(
      fields.map(name => [name, fc.oneof({ weight: 3, arbitrary: fc.constant(good[name]) }, value)]),
    ),
    { requiredKeys: [] },
  )
  const more = fc.dictionary(
    fc.oneof(fc.constantFrom('constructor', 'user_id', 'status', 'total'), text),
    value,
  )
  return fc.oneof(
    near,
    fc.tuple(more, near).map(([a, b]) => ({ ...a, ...b })),
    value,
  )
}

const raw = fc.oneof(
  fc.constantFrom(
    '{',
    '[',
    '"',
    'null',
    'true',
    '7',
    '{}',
    '{"a":1,}',
    '\ufeff{}',
    '{"__proto__":{"x":1}}',
    '{"a":1e999}',
  ),
  fc.constantFrom(
    '['.repeat(10_000) + ']'.repeat(10_000),
    '{"a":'.repeat(5000),
    '{"constructor":{"prototype":1}}',
  ),
  fc.string({ unit: 'binary' }),
)
export const payloadFor = (call: Call) =>
  fc.oneof({ weight: 4, arbitrary: bodyFor(call).map(body => JSON.stringify(body) ?? '') }, raw)

export const id = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('owner', 'listing', 'line', 'order', 'review') },
  fc.constantFrom(
    '0',
    '-1',
    '1.5',
    '2147483648',
    '9007199254740991',
    '9223372036854775808',
    '1e3',
    '٣',
    '__proto__',
  ),
  fc.constantFrom(
    '%',
    '%2',
    '%zz',
    '%00',
    '%E0%A4%A',
    '%2e%2e%2f',
    '..',
    '%F0%9F',
    '%252f',
    "'",
    ';',
    '#',
    '1?x',
    '\\',
  ),
  fc.integer().map(String),
  text.map(value => encodeURIComponent(value.toWellFormed())),
)
export const query = fc.oneof(
  fc.constantFrom(
    '',
    '',
    '?limit=2',
    '?limit=1&limit=2',
    '?limit[]=1',
    '?cursor=',
    '?cursor=%00',
    '?cursor=%',
    '?__proto__=1',
  ),
  fc
    .tuple(fc.constantFrom('limit', 'cursor', 'x'), text)
    .map(([a, b]) => `?${a}=${encodeURIComponent(b.toWellFormed())}`),
  fc.base64String().map(cursor => `?cursor=${cursor}`),
)
const json = 'application/json'
const type = fc.oneof(
  { weight: 4, arbitrary: fc.constant(json) },
  fc.constantFrom(
    `${json}; charset=utf-16`,
    `${json};;=`,
    'text/plain',
    'text/html',
    'application/xml',
    'banana',
    '',
    '/',
  ),
  fc.constantFrom(
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    `${json}, ${json}`,
  ),
)
const latin = fc.string({ maxLength: 200 }).map(value => value.replace(/[^\x20-\x7e]/g, '.'))
export const headers = fc.record(
  {
    'content-type': type,
    accept: fc.constantFrom('text/html', 'application/json', '*/*', 'x'),
    'idempotency-key': latin,
    cookie: fc.oneof(fc.constantFrom('session=', 'session=%E0', 'session==;;', '__proto__=1', 'a'), latin),
    'x-forwarded-for': latin,
    'accept-encoding': latin,
    host: fc.constantFrom('', 'x', '[::1', 'evil.example', 'a b'),
  },
  { requiredKeys: ['content-type'] },
)
