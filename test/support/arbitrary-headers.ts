import fc from 'fast-check'

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
/** Valid header characters. */
export const latin = fc.string({ maxLength: 200 }).map(value => value.replace(/[^\x20-\x7e]/g, '.'))
const oddHeaders = fc.record(
  {
    'content-type': type,
    accept: fc.constantFrom('text/html', 'application/json', '*/*', 'x'),
    'idempotency-key': latin,
    cookie: fc.oneof(fc.constantFrom('session=', 'session=%E0', 'session==;;', '__proto__=1', 'a'), latin),
    'x-forwarded-for': latin,
    'accept-encoding': latin,
    host: fc.constantFrom('', 'x', '[::1', 'evil.example', 'a b'),
    'if-none-match': fc.oneof(fc.constantFrom('*', '"', 'W/"x"'), latin),
  },
  { requiredKeys: ['content-type'] },
)
/** Mostly headers of a program that knows the API: others are refused at once. */
export const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ 'content-type': json }) },
  oddHeaders.map(sent => sent as Record<string, string>),
)
