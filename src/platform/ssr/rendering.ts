import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawInput } from '../api/api.ts'
import { logError, toProblem } from '../http/error-handler.ts'
import { publicOrigin } from '../http/origin.ts'
import type { Pages, Rendered, RenderNeeds } from './renderer.ts'
import { normalizeInput, webRequest } from './request-adapter.ts'

type Ask = RenderNeeds['ask']
/** What a page has asked, that others are answered differently. */
export interface Question {
  key: string
  input: RawInput
}

/** The calls of one request, in the same process. */
export class ServerApiClient {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #personal = new Map<string, { question: Question; answer: Promise<unknown> }>()
  /** Whether anything but a look was asked for. */
  changes = false
  /** Whether any of it is what everybody is told. */
  public = false

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request
    this.#reply = reply
  }

  /** Each personal question is asked once: the answer that a page is kept under is the one it shows. */
  ask: Ask = (key, input = {}) => {
    const call = this.#request.server.calls.get(key)
    if (!call) return Promise.reject(new Error(`No such call: ${key}`))
    if (call.forEverybody) {
      this.public = true
      return this.#answer(key, input)
    }
    if (!key.startsWith('GET ')) {
      this.changes = true
      this.#personal.clear()
      return this.#answer(key, input)
    }
    const name = nameOf(key, input)
    const known = this.#personal.get(name)
    if (known) return known.answer
    const answer = this.#answer(key, input)
    // Whoever asked hears of a refusal; nobody else has to.
    answer.catch(() => {})
    this.#personal.set(name, { question: { key, input }, answer })
    return answer
  }

  async #answer(key: string, input: RawInput): Promise<unknown> {
    const request = this.#request
    const call = request.server.calls.get(key)
    // What the caller would have sent along over HTTP.
    Object.assign(request.headers, input.headers)
    try {
      return await call?.(await normalizeInput(input), request, this.#reply)
    } catch (error) {
      const problem = toProblem(error)
      logError(request, problem)
      // A refused form is answered with a page, which has to say it as the call would.
      if (problem.retryAfter !== undefined && !key.startsWith('GET '))
        this.#reply.header('retry-after', String(problem.retryAfter))
      throw problem
    }
  }

  /** What was asked until now that others are answered differently. */
  get questions(): Question[] {
    return [...this.#personal.values()].map(({ question }) => question)
  }
}

/** Names a question with what it is about. */
export const nameOf = (key: string, { params, query, headers }: RawInput): string =>
  `${key} ${JSON.stringify([params, query, headers])}`

/** Renders the page of a request, or that of its refusal. */
export async function render(
  pages: Pages,
  request: FastifyRequest,
  { ask }: Pick<ServerApiClient, 'ask'>,
  refusal?: { status: number; message: string },
): Promise<Rendered> {
  const renderer = await pages.renderer()
  return renderer.render(webRequest(request, refusal !== undefined), {
    ask,
    address: publicOrigin(request),
    shop: { demo: request.server.config.demo },
    assets: pages.assets,
    ...(refusal ? { refusal } : {}),
    report: error => request.log.error({ err: error }, 'page failed'),
    requestId: request.id,
    matched: pattern => {
      request.page = pattern
    },
  })
}
