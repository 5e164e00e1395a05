import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Problem } from '#problem'
import { mayExceed, SMALL_BODY } from './body-limits.ts'
import { refuseRaw } from './error-handler.ts'
import { beforeRouting } from './http-server.ts'

/** Size of a block, bytes. */
const BLOCK = 16 * 1024
/** Chunks of a block at most: a chunk of one byte takes more than 200 bytes of memory. */
const MAX_BLOCK_CHUNKS = 64
/** The first chunks may have any size; beyond them, the average must be this many bytes. */
const FREE_CHUNKS = 1_000
const MIN_AVERAGE = 64

/** Methods whose bodies mean nothing (RFC 9110, 9.3). */
const BODILESS = ['GET', 'HEAD', 'TRACE']

const TINY_CHUNKS = 'The request comes in too many tiny pieces. Please send it in larger ones'

/**
 * The body of a request, in blocks of 16 kB. Node emits each chunk of HTTP by itself, and a client may send chunks of one
 * byte. They are read as soon as they arrive, counted and joined into blocks. A body of too many small chunks is refused.
 * An unread body is discarded when the response has ended, and its chunks are counted as well.
 */
export class Body extends Readable {
  readonly #from: IncomingMessage
  #chunks: Buffer[] = []
  /** Bytes of `#chunks`. */
  #size = 0
  /** Number of chunks that have arrived. */
  #count = 0
  #bytes = 0
  #discarded = false
  #refused = false

  /** @param refuse is called once, if there are too many small chunks */
  constructor(from: IncomingMessage, refuse: () => void) {
    super({ highWaterMark: SMALL_BODY })
    this.#from = from
    // A client may close the connection before the body is read.
    this.on('error', () => {})
    from.on('data', (chunk: Buffer) => {
      if (this.#refused) return
      this.#count++
      this.#bytes += chunk.length
      if (this.#count > FREE_CHUNKS + this.#bytes / MIN_AVERAGE) {
        this.#refused = true
        this.discard()
        refuse()
      } else if (!this.#discarded) this.#add(chunk)
    })
    from.on('end', () => {
      if (this.#refused) return
      this.#pushBlock()
      this.push(null)
    })
    // After a refusal the response is sent already.
    from.on('error', error => this.#refused || this.destroy(error))
    from.on('close', () => {
      if (!this.#refused && !from.readableEnded) this.destroy(new Error('the body ended midway'))
    })
  }

  #add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if ((this.#size >= BLOCK || this.#chunks.length >= MAX_BLOCK_CHUNKS) && !this.#pushBlock())
      this.#from.pause()
  }

  /** Pushes the block to the reader. @returns false if the reader is slower, and reading has to pause */
  #pushBlock(): boolean {
    const [first] = this.#chunks
    if (first === undefined) return true
    const block = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.#size)
    this.#chunks = []
    this.#size = 0
    return this.push(block)
  }

  /** Reads the rest without keeping it: clients read the response only after they have sent the body. */
  discard(): void {
    this.#discarded = true
    this.#chunks = []
    this.#size = 0
    this.#from.resume()
  }

  override _read(): void {
    this.#from.resume()
  }
}

/** Whether a body may come in too many chunks: a short one cannot. */
const needsBlocks = (request: Pick<IncomingMessage, 'headers'>): boolean => mayExceed(request, FREE_CHUNKS)

const bodies = new WeakMap<IncomingMessage, Body>()

/** Makes all parsers read bodies through `Body`, but short ones. Bodies of too many small chunks are refused with 400. */
export function joinBodyChunks(app: FastifyInstance): void {
  const problem = new Problem(400, TINY_CHUNKS)
  const bodyOf = (request: IncomingMessage, response: ServerResponse): Body => {
    const known = bodies.get(request)
    if (known) return known
    const body = new Body(request, () => {
      refuseRaw(app.config, response, problem)
      // Before the response is sent: reading on until then could take seconds.
      request.destroy()
    })
    bodies.set(request, body)
    response.once('finish', () => body.discard())
    return body
  }
  beforeRouting(app, serve => (request, response) => {
    if (needsBlocks(request)) bodyOf(request, response)
    serve(request, response)
  })
  app.addHook('preParsing', async (request, reply, payload) => {
    if (!needsBlocks(request)) return payload
    const body = bodyOf(request.raw, reply.raw)
    // No parser reads these.
    if (BODILESS.includes(request.method)) body.discard()
    return body
  })
}
