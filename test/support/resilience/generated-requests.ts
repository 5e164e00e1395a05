import fc from 'fast-check'
import type { Call } from '#contract'
import { encoded, idLike, nearly, payloadFor, text } from '../arbitraries.ts'
import { headers, latin } from '../arbitrary-headers.ts'
import type { Parameter } from './calls.ts'
import { photoForm } from './photo-forms.ts'

/** A generated request. Ids of the shop are placeholders: {listing}, {cursor}. */
export interface Generated {
  /** A stranger is logged in, but uses another user's ids. */
  sender: 'visitor' | 'owner' | 'stranger'
  /** The id in the path. */
  id: string
  query: string
  headers: Record<string, string>
  payload: string | Buffer
}

/** Requests per batch: the event loop runs in between. */
const CHUNK = 500
/** Number of different queries per call, so that most repeat. */
const REPEATED = 200

/** An endless sequence of requests for a call; the same seed generates the same. */
export function* requestsFor(
  key: string,
  call: Call,
  parameters: Parameter[],
  seed: number,
): Generator<Generated> {
  const query = queryFor(parameters.filter(({ in: place }) => place === 'query'))
  const queries = fc.sample(query, { numRuns: REPEATED, seed })
  const one = fc
    .record({
      sender: senderOf(key),
      id: idLike(fittingId(key)),
      query: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...queries) }, query),
      headers: headersFor(parameters.filter(({ in: place }) => place === 'header')),
      sent:
        call.consumes === 'multipart'
          ? fc.oneof({ weight: 3, arbitrary: photoForm }, plain(call))
          : plain(call),
    })
    .map(({ sent: { payload, type }, headers, ...others }) => ({
      ...others,
      payload,
      headers: type && headers['content-type'] === JSON_TYPE ? { ...headers, 'content-type': type } : headers,
    }))
  for (let at = 0; ; at++) yield* fc.sample(one, { numRuns: CHUNK, seed: seed + at })
}

const JSON_TYPE = 'application/json'

/** Calls that change the session; a new one costs a password hash. */
export const ABOUT_SESSIONS = /auth\/(login|signup|logout|password)$|^DELETE .*auth\/sessions/

function senderOf(key: string): fc.Arbitrary<Generated['sender']> {
  if (!ABOUT_SESSIONS.test(key)) return fc.constantFrom('visitor', 'visitor', 'owner', 'stranger')
  const weight = key.endsWith('password') ? 1 : 12
  return fc.oneof({ weight, arbitrary: fc.constant('visitor' as const) }, fc.constant('owner' as const))
}

/** The kind of id that this path takes. */
export function fittingId(key: string): string {
  if (key.includes(':username')) return 'maker'
  if (key.startsWith('GET /api/cart_items')) return 'owner'
  if (key.includes('cart_items/:')) return 'line'
  if (key.includes('sessions/:')) return 'session'
  if (key.includes('passkeys/:')) return 'passkey'
  if (key.includes(':profileId')) return 'profile'
  if (key.includes(':draftId')) return 'draft'
  if (key.includes(':importId')) return 'pending'
  if (key.includes(':sectionId')) return 'section'
  if (key.includes(':addressId')) return 'address'
  if (key.includes(':sellerId')) return 'owner'
  if (key.includes(':orderId')) return 'order'
  if (key.includes(':conversationId')) return 'conversation'
  return key.includes('reviews/:id') ? 'review' : 'listing'
}

/** Valid values by parameter, if the documentation is not enough. */
const examples: Record<string, string[]> = {
  q: [
    'mug',
    'speckled mug',
    'mgu',
    '"speckled mug"',
    'stoneware -mug',
    'Home & Living',
    'the',
    'm',
    '300 ml',
  ],
  name: ['mug', ''],
  search: ['{order}', 'owner'],
  seller: ['{maker}', '{maker}', 'eve'],
  cursor: ['{cursor}'],
  limit: ['1', '2', '100'],
  // The secret of no archive.
  archive: ['kQ3vZ8mB1xYtR6wN0pLsD4hJ7cFgE2uAiVoKqMzXbTy'],
  id: ['{review}'],
  author: ['{owner}'],
  'expected-total': ['49', '49.0', '49.00', '24.50'],
  place: ['Bristol', 'teasel hill'],
  'expected-items': ['{listing}x2', '{listing}x1'],
}

/** Valid values of a parameter. */
function rightFor({ name, schema }: Parameter): fc.Arbitrary<string> {
  const known = examples[name] ?? schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  const fitting = schema.pattern ? [fc.stringMatching(new RegExp(schema.pattern))] : []
  return known
    ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, ...fitting)
    : fc.oneof(fc.constant('mug'), ...fitting)
}

/** Almost valid values of a parameter. */
const almost = (right: fc.Arbitrary<string>) =>
  fc
    .tuple(
      right,
      fc.constantFrom<(value: string) => string>(
        value => ` ${value}`,
        value => `${value}0`,
        value => `-${value}`,
        value => value.toUpperCase(),
        value => value.slice(1),
        value => `${value},${value}`,
        () => '',
      ),
    )
    .map(([value, change]) => change(value))

const rawQueries = [
  '?limit=1&limit=2',
  '?limit[]=1',
  '?cursor=%',
  '?q=%E0%A4%A',
  '?__proto__=1',
  '?',
  '?&&=&',
  '?q[a]=b',
]

/** Queries with documented parameters in all combinations, valid, almost valid and malicious; and without any. */
function queryFor(parameters: Parameter[]): fc.Arbitrary<string> {
  const asQuery = (values: Record<string, string | undefined>) => {
    const pairs = Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [`${encoded(name)}=${encoded(value)}`],
    )
    return pairs.length > 0 ? `?${pairs.join('&')}` : ''
  }
  const others = fc.oneof(
    fc.constantFrom('', '', ...rawQueries),
    fc
      .tuple(fc.constantFrom('limit', 'cursor', 'q', 'x'), text)
      .map(([name, value]) => asQuery({ [name]: value })),
    fc.base64String().map(cursor => `?cursor=${cursor}`),
  )
  if (parameters.length === 0) return others
  const right = Object.fromEntries(parameters.map(one => [one.name, rightFor(one)]))
  const wrong = fc.oneof(almost(fc.oneof(...Object.values(right))), text)
  // Few continue from a cursor: one of another order is refused.
  const withoutCursor = { ...right, ...(right.cursor && { cursor: fc.constant(undefined) }) }
  const documented = fc.oneof(
    { weight: 3, arbitrary: nearly<string | undefined>(withoutCursor, wrong, []) },
    nearly(right, wrong, []),
  )
  // One of them twice, too: a list instead of a text.
  const repeated = fc.tuple(documented, documented).map(([a, b]) => `${asQuery(a)}&${asQuery(b).slice(1)}`)
  return fc.oneof({ weight: 6, arbitrary: documented.map(asQuery) }, repeated, others)
}

/** The call's documented headers among others. */
function headersFor(parameters: Parameter[]): fc.Arbitrary<Record<string, string>> {
  if (parameters.length === 0) return headers
  const right = Object.fromEntries(parameters.map(one => [one.name, rightFor(one)]))
  const wrong = fc.oneof(almost(fc.oneof(...Object.values(right))), latin)
  return fc
    .tuple(headers, nearly(right, wrong, []))
    .map(([sent, documented]) => JSON.parse(JSON.stringify({ ...sent, ...documented })))
}

const plain = (call: Call): fc.Arbitrary<{ payload: string; type?: string }> =>
  payloadFor(call).map(payload => ({ payload }))
