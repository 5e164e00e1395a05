import type { Call } from '#contract'
import { special } from '../support/arbitraries.ts'
import { openWorld, stateOf } from '../support/fixtures.ts'
import { withShop } from '../support/harness.ts'
import type { Shop, TestResponse } from '../support/person.ts'
import { allCalls, DELETION, documentedParameters, finderOf, isSigned } from '../support/resilience/calls.ts'
import { requestsFor } from '../support/resilience/generated-requests.ts'
import { Sender } from '../support/resilience/request-sender.ts'
import { each, Faults, formatCounts, milliseconds, type Outcome, type Scenario } from '../support/scenario.ts'

/** Statuses of refusals. */
const REFUSALS = [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429]

/** Concurrent calls, and concurrent requests for each. */
const CALLS = 2
const AT_ONCE = 8

interface Bounds {
  /** Requests for every call, all answered. */
  requests: number
  /** Limit for the slowest response, ms. */
  limit: number
  /** The same seed generates the same requests. */
  seed?: number | undefined
}

/** Among so many requests for a call some are valid and succeed. */
const ENOUGH = 2_000

/**
 * Generated requests of visitors, owners and strangers for every call: never a 5xx, never slow, always the
 * documented format. Of many requests for a call some succeed, and a bystander's data is unchanged.
 */
export async function fuzz(
  shop: Shop,
  { requests, limit, seed = Math.floor(Math.random() * 2 ** 31) }: Bounds,
): Promise<Outcome> {
  const faults = new Faults()
  const bystander = await openWorld(shop)
  const before = JSON.stringify(await stateOf(bystander))
  // The account of generated logins.
  await shop.visitor().post('/api/auth/signup', special)
  const calls = await allCalls()
  const callAt = finderOf(calls)
  const parameters = await documentedParameters()
  const kinds: Record<string, number> = {}
  let slowest = { took: 0, call: '' }
  await each(Object.entries(calls), CALLS, async ([key, call]) => {
    const generated = requestsFor(key, call, parameters[key] ?? [], seed)
    const sender = await Sender.open(shop, key, bystander)
    let done = 0
    /** @returns whether it could be sent */
    const ask = async (): Promise<boolean> => {
      const request = generated.next().value
      const { method, url, headers, response, took } = await sender.send(request)
      if (!response) return false
      if (took > slowest.took) slowest = { took, call: key }
      const kind = `${Math.floor(response.status / 100)}xx`
      kinds[kind] = (kinds[kind] ?? 0) + 1
      const answering = callAt(method, url)
      if (answering === key && response.status < 300) done++
      // A client that normalizes .. has requested something else, perhaps a page.
      const followed = /\.\.|\\/.test(url)
      const wrong = followed
        ? response.status >= 500 && `${response.status}`
        : undocumented(answering, answering ? calls[answering] : undefined, response)
      if (wrong) {
        const sent = `${request.who}, ${method} ${url} ${JSON.stringify(headers)} ${request.payload.slice(0, 200)}`
        faults.expect(false, `${key} (seed ${seed}, ${sent}): ${wrong}`)
      }
      return true
    }
    await each(Array(requests).keys(), AT_ONCE, async () => {
      // Replaces requests that no client can send.
      while (!(await ask()));
    })
    // A signature, a token, the password of a logged-in user, the code of a pick-up or of an invitation, an operator or what one
    // has decided, which is not generated.
    const byOperators = /\/operate\/|\/(objection|application)$|\/pages\/:slug$/
    const needsProof =
      isSigned(key) || key === DELETION || /\/(collected|invitation)$/.test(key) || byOperators.test(key)
    faults.expect(done > 0 || requests < ENOUGH || needsProof, `${key} was never done (seed ${seed})`)
  })
  faults.expect(
    slowest.took < limit,
    `the slowest took ${milliseconds(slowest.took)}, a request for ${slowest.call}`,
  )
  faults.expect(JSON.stringify(await stateOf(bystander)) === before, 'what somebody had has changed')
  const count = Object.keys(calls).length
  return faults.outcome(
    `${count * requests} requests answered for ${count} calls (${formatCounts(kinds)}; seed ${seed}): no 5xx, the documented format, the slowest ${milliseconds(slowest.took)} (${slowest.call}); others’ data unchanged`,
  )
}

/** Deviations from the documentation: the contract's response, or the body of errors. */
function undocumented(
  key: string | undefined,
  call: Call | undefined,
  response: TestResponse,
): string | undefined {
  const { status, body, headers } = response
  if (status >= 500) return `${status} ${JSON.stringify(body)}`
  if (status >= 400) return REFUSALS.includes(status) ? badRefusal(call, body) : `status ${status}`
  if (!call) return `${status} where nothing is`
  if (status === 303) return key === 'GET /api/auth/logout' ? undefined : 'a redirect'
  // 304 for a matching ETag.
  if (status === 304) return key?.startsWith('GET') && headers.etag && body === '' ? undefined : 'a 304'
  if (status !== (call.status ?? 200)) return `${status} instead of ${call.status ?? 200}`
  const read = call.response.safeParse(body)
  // Keys are in the order of the contract, so the texts can be compared.
  return read.success && JSON.stringify(read.data) === JSON.stringify(body)
    ? undefined
    : `another response: ${JSON.stringify(body)}`
}

/** Problems of an error body: an unhelpful message, or internals. */
function badRefusal(call: Call | undefined, body: TestResponse['body']): string | undefined {
  if (/node_modules|\/src\/|select |insert |\bat .*:\d+:\d+|argon2/.test(JSON.stringify(body)))
    return 'it reveals internals'
  const isByField = call?.errors === 'fields'
  const messages: unknown[] = isByField ? Object.values(body ?? {}) : [body?.errors].flat()
  const formatCounts =
    messages.length > 0 && messages.every(message => typeof message === 'string' && /\w/.test(message))
  const rest = isByField || (body.message === body.errors[0] && Object.keys(body).length === 2)
  return formatCounts && rest ? undefined : `another shape: ${JSON.stringify(body)}`
}

export const scenario: Scenario = {
  risk: 'generated requests',
  // Other scenarios load the machine too much for a time limit.
  timed: true,
  // SEED=7 npm run faults -- 21 repeats a run with that seed, REQUESTS=10000 sets the number per call.
  promise:
    '2,000 generated requests for every call: never a 5xx, never over 2 s, always the documented format',
  run: () =>
    withShop({}, shop =>
      fuzz(shop, {
        requests: Number(process.env.REQUESTS) || ENOUGH,
        limit: 2_000,
        seed: Number(process.env.SEED) || undefined,
      }),
    ),
}
