import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Problem } from '#problem'
import { hasBody, SMALL_BODY } from './body-limits.ts'
import { errorBody } from './error-handler.ts'
import { beforeRouting } from './http-server.ts'
import { securityHeaders } from './security-headers.ts'

/** Bytes after which a block is passed on. */
const BLOCK = 16 * 1024
/** Pieces after which it is, however small they are: a piece of one byte takes more than 200 bytes of memory. */
const PIECES_OF_BLOCK = 64
/** So many pieces may be of any size; all beyond them must have so many bytes on average. */
const FREE_PIECES = 1_000
const LEAST_AVERAGE = 64

/** Methods whose bodies mean nothing (RFC 9110, 9.3). */
const BODILESS = ['GET', 'HEAD', 'TRACE']

const TINY_PIECES = 'The request comes in too many tiny pieces. Please send it in larger ones'

/**
 * The body of a request in blocks. Node gives a piece for each chunk of HTTP and for each read from the network, and
 * whoever sends decides how small they are. They are read from the beginning, before anybody asks for them, joined into
 * blocks, and counted; a body that is mostly framing is refused. What nobody reads is dropped once the request is
 * answered, and counted all the same.
 */
export class Body extends Readable {
  readonly #from: IncomingMessage
  #pieces: Buffer[] = []
  /** Bytes of these pieces. */
  #size = 0
  /** All that have arrived. */
  #count = 0
  #bytes = 0
  #dropped = false
  #refused = false

  /** @param refuse is told once that the pieces are too many for their bytes */
  constructor(from: IncomingMessage, refuse: () => void) {
    super({ highWaterMark: SMALL_BODY })
    this.#from = from
    // Whoever goes away before anybody reads this has done nothing unexpected.
    this.on('error', () => {})
    from.on('data', (piece: Buffer) => {
      if (this.#refused) return
      this.#count++
      this.#bytes += piece.length
      if (this.#count > FREE_PIECES + this.#bytes / LEAST_AVERAGE) {
        this.#refused = true
        this.discard()
        refuse()
      } else if (!this.#dropped) this.#take(piece)
    })
    from.on('end', () => {
      if (this.#refused) return
      this.#pass()
      this.push(null)
    })
    // Whoever is refused has been told; nobody has to be told here.
    from.on('error', error => this.#refused || this.destroy(error))
    from.on('close', () => {
      if (!this.#refused && !from.readableEnded) this.destroy(new Error('the body ended midway'))
    })
  }

  #take(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#size += piece.length
    if ((this.#size >= BLOCK || this.#pieces.length >= PIECES_OF_BLOCK) && !this.#pass()) this.#from.pause()
  }

  /** @returns whether more may come */
  #pass(): boolean {
    const [first] = this.#pieces
    if (first === undefined) return true
    const block = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces, this.#size)
    this.#pieces = []
    this.#size = 0
    return this.push(block)
  }

  /** Reads on without keeping anything: the sender then comes to read its answer. */
  discard(): void {
    this.#dropped = true
    this.#pieces = []
    this.#size = 0
    this.#from.resume()
  }

  override _read(): void {
    this.#from.resume()
  }
}

const bodies = new WeakMap<IncomingMessage, Body>()

/** Reads the body of every request in blocks, from its first byte on; whatever parses it is given those. */
export function gatherBodies(app: FastifyInstance): void {
  const problem = new Problem(400, TINY_PIECES)
  const text = JSON.stringify(errorBody(problem, undefined))
  const headers = {
    ...securityHeaders(app.config),
    connection: 'close',
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  }
  const bodyOf = (request: IncomingMessage, response: ServerResponse): Body => {
    const known = bodies.get(request)
    if (known) return known
    const body = new Body(request, () => {
      // Answered already, or still behind answers that nobody reads: there is nothing to say any more.
      if (!response.headersSent && response.socket?.writable)
        response.writeHead(problem.status, headers).end(text)
      // At once, and not when the answer has left: until then more of the pieces would be read, which takes seconds.
      request.destroy()
    })
    bodies.set(request, body)
    response.once('finish', () => body.discard())
    return body
  }
  beforeRouting(app, serve => (request, response) => {
    if (hasBody(request)) bodyOf(request, response)
    serve(request, response)
  })
  app.addHook('preParsing', async (request, reply, payload) => {
    if (!hasBody(request)) return payload
    const body = bodyOf(request.raw, reply.raw)
    // Nobody is going to read it.
    if (BODILESS.includes(request.method)) body.discard()
    return body
  })
}
