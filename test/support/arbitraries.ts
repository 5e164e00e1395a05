import fc from 'fast-check'
import type { Call } from '#contract'
import { PASSWORD } from './person.ts'
import { filled } from './text-fields.ts'

/** Malicious texts, numbers, bodies and paths. */

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
export const text = fc.oneof(
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

/** What fields take that do not take any text. */
export const special: Record<string, unknown> = {
  ...{ email: 'eve@example.com', first_name: 'Eve', last_name: 'Adams', username: 'evelyn' },
  ...{ password: PASSWORD, current_password: PASSWORD, new_password: PASSWORD },
  ...{
    category: 'Home & Living',
    price: 9.5,
    stock: 3,
    quantity: 1,
    stars: 4,
    grounds: 'copy',
    is_trader: true,
    accepted: true,
    upheld: true,
    who_may_sell: 'open',
    seller_details_required: false,
    team: [],
    paper_light: '#faf6ef',
    accent_light: '#9a3f27',
    paper_dark: '#1d1a17',
    accent_dark: '#f0a184',
    hero_link: '',
    contact_email: 'eve@example.com',
    contact_phone: '+351 123 456',
    takes_messages: true,
    listing: 1,
    agreed_at_signup: false,
    product_safety_required: false,
    outside_eu: false,
    agreed: [1],
    uses: 3,
    days: 7,
    address_id: null,
  },
  ...{ off: ['review'], newest: '6f3b0c1e-6f0a-4c6e-9a52-0e9a4f2d7c11', parcel: 1, up_to: 1 },
  ...{ country: 'PT', from_country: 'PT', from: '2999-01-01', until: '2999-01-09', pickup_places: [] },
  ...{ rates: [{ destination: '*', first: 4.5, further: 1, days_min: 2, days_max: 6 }] },
  ...{
    position: 1,
    tags: ['clay'],
    materials: ['clay'],
    weight_grams: 3,
    dimensions: null,
    section_id: null,
    fields: { name: 'Half a mug' },
    photos: [],
    ids: [1],
  },
  ...{ change: 'retire', ids: [1], matching: {}, rows: [{ id: 1, version: 1, price: 3, stock: 3 }] },
  ...{ code: '0000', amount: 3, day: '2026-01-02', orders: [1], action: 'sent' },
}
/** Valid values of the fields that a call requires. */
export const goodFor = ({ body }: Call): Record<string, unknown> => ({
  ...(body ? filled(body, () => 'Fine') : {}),
  ...special,
})

/** The fields of a call's body, and whether each is required. */
export const fieldsOf = (call: Call): [name: string, required: boolean][] =>
  Object.entries(call.body?.shape ?? {}).map(([name, rule]) => [
    name,
    !(rule as NonNullable<Call['body']>).safeParse(undefined).success,
  ])

/** Mostly unused, sometimes taken. */
const suffix = fc.nat({ max: 100_000 })
const newUser: Record<string, fc.Arbitrary<unknown>> = {
  email: suffix.map(n => `eve-${n}@example.com`),
  username: suffix.map(n => `evelyn-${n}`),
}

/**
 * Valid records, or with one or two invalid or missing fields: a record that is invalid everywhere would be refused
 * at once.
 */
export function nearly<T>(
  right: Record<string, fc.Arbitrary<T>>,
  wrong: fc.Arbitrary<T>,
  required?: string[],
) {
  const valid = required ? fc.record(right, { requiredKeys: required }) : fc.record(right)
  const corruption = fc.tuple(
    fc.constantFrom(...Object.keys(right)),
    fc.option(wrong, { nil: undefined, freq: 8 }),
  )
  return fc
    .tuple(valid, fc.array(corruption, { maxLength: 2 }))
    .map(([all, faults]) => ({ ...all, ...Object.fromEntries(faults) }) as Record<string, T | undefined>)
}

/** Bodies for the call, valid or with errors; and unrelated bodies. */
function bodyFor(call: Call): fc.Arbitrary<unknown> {
  const fields = fieldsOf(call).flatMap(([name, required]) => (required ? [name] : []))
  // Signups, and changes of the address.
  const isNew = call.status === 201 || fields.includes('current_password')
  const good = goodFor(call)
  const right = (fields.length > 0 ? fields : ['quantity']).map(name => [
    name,
    (isNew && newUser[name]) || fc.constant(good[name]),
  ])
  const nearlyValid = nearly<unknown>(Object.fromEntries(right), value)
  const optional = fieldsOf(call).flatMap(([name, required]) => (required ? [] : [name]))
  const more = fc.dictionary(
    fc.oneof(fc.constantFrom('constructor', 'user_id', 'status', 'total', ...optional), text),
    value,
  )
  const known = optional.filter(name => name in good)
  const optionalToo = fc
    .tuple(nearlyValid, fc.subarray(known))
    .map(([all, names]) => ({ ...all, ...Object.fromEntries(names.map(name => [name, good[name]])) }))
  return fc.oneof(
    { weight: call.cost ? 1 : 4, arbitrary: nearlyValid },
    { weight: known.length > 0 ? 1 : 0, arbitrary: optionalToo },
    fc.tuple(more, nearlyValid).map(([a, b]) => ({ ...a, ...b })),
    // Password hashing takes as long as all the rest: fewer bodies get that far.
    { weight: call.cost ? 10 : 1, arbitrary: value },
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

/** An id for a path that takes this one: of a world, of another kind, or invalid. */
export const idLike = (fitting: string) =>
  fc.oneof(
    { weight: 10, arbitrary: fc.constant(fitting) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'owner',
        'listing',
        'line',
        'order',
        'review',
        'session',
        'passkey',
        'profile',
        'address',
      ),
    },
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
    text.map(encoded),
  )

/** As a part of an address, without halves of surrogate pairs. */
export const encoded = (value: string) => encodeURIComponent(value.toWellFormed())
