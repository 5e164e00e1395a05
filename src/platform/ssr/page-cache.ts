import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip, type ZlibOptions } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { canReadCache } from '../cache/request-cache.ts'
import { FOR_EVERYBODY } from '../http/cached-text.ts'
import { toProblem } from '../http/error-handler.ts'
import { etagOf, isNamed } from '../http/etag.ts'
import { publicOrigin } from '../http/origin.ts'
import type { Pages, Rendered } from './renderer.ts'
import { nameOf, type Question, render, ServerApiClient } from './rendering.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const expand = promisify(gunzip)

/** A page as it was rendered once, and the forms in which it is sent. */
interface Forms {
  etag: string
  /** Its pattern: '/users/:id'. */
  page: string
  /** About what it takes, all forms included. */
  bytes: number
  br?: () => Promise<Buffer>
  gzip: Buffer
  html: () => Promise<Buffer>
}

/** Made when it is first asked for, and then kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Kept compressed alone; the page itself takes five times as much, and few ask for it. */
async function formsOf(html: string, page: string, options?: ZlibOptions): Promise<Forms> {
  // As small as it is: what the compressor gives is the beginning of a larger piece of memory.
  const small = Buffer.from(await compressGzip(html, options ?? {}))
  return { etag: etagOf(html), page, bytes: small.length, gzip: small, html: () => expand(small) }
}

/** The same for every visitor: compressed as well as it goes, because it is sent often. */
async function publicForms(html: string, page: string): Promise<Forms> {
  const forms = await formsOf(html, page)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  const br = once(async () => compressBrotli(await forms.html(), { params }))
  return { ...forms, bytes: 2 * forms.bytes, br }
}

type Send = (reply: FastifyReply, rendered: Rendered) => Promise<unknown>

/** Answers a visitor with the page that every visitor sees, rendered where it is not kept. */
export async function sendPublic(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  send: Send,
): Promise<unknown> {
  let fresh: Rendered | undefined
  // A page names its own address, which whoever asks can choose where the settings do not say it.
  const page = await request.server.cache.getOrLoad(
    `page ${publicOrigin(request)}${request.url}`,
    async () => {
      fresh = await render(pages, request, new ServerApiClient(request, reply))
      return fresh.status === 200 ? await publicForms(fresh.html, request.page) : undefined
    },
    sizeOf,
  )
  if (!page) return send(reply, fresh ?? (await render(pages, request, new ServerApiClient(request, reply))))
  return sendForms(request, reply, page, FOR_EVERYBODY)
}

/** Address → what its page asks of the person, as it was rendered last. */
const questions = new Map<string, Question[]>()
/** Addresses of which that is remembered. */
const MOST_QUESTIONS = 2_000

/**
 * Answers a person with their page. A page is made of what everybody is told and of what they alone are told; the first
 * is dropped when it changes, the second is asked each time. A page with the same answers is
 * the same page, so it is kept under all of them, who the person is among them: nobody can be given another's.
 */
export async function sendPersonal(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  send: Send,
): Promise<unknown> {
  const asking = new ServerApiClient(request, reply)
  const address = publicOrigin(request) + request.url
  const known = (await canReadCache(request)) ? questions.get(address) : undefined
  if (!known) {
    const rendered = await render(pages, request, asking)
    if (rendered.status === 200) remember(address, asking)
    return send(reply, rendered)
  }
  const answers = await Promise.all(known.map(({ key, input }) => asking.ask(key, input).catch(refusalOf)))
  if (answers.some(answer => (answer as { status?: unknown } | null)?.status === 403)) {
    // Asked about somebody else, who looked at this page before: every person is asked something of their own here.
    questions.delete(address)
    return send(reply, await render(pages, request, asking))
  }
  let fresh: Rendered | undefined
  const page = await request.server.cache.getOrLoad(
    `person's page ${address} ${digest(JSON.stringify(answers))}`,
    async () => {
      fresh = await render(pages, request, asking)
      // It asks for more with these answers than with those before: it is not told by them alone.
      if (fresh.status !== 200 || remember(address, asking)) return undefined
      // Quickly, because there are many of them.
      return formsOf(fresh.html, request.page, { level: 1 })
    },
    sizeOf,
  )
  if (!page) return send(reply, fresh ?? (await render(pages, request, asking)))
  return sendForms(request, reply, page, 'private, no-cache')
}

const refusalOf = (error: unknown) => {
  const { status, message } = toProblem(error)
  return { status, message }
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Notes what a page has asked. @returns whether it asked for something that was not known of */
function remember(address: string, asking: ServerApiClient): boolean {
  const before = questions.get(address) ?? []
  const names = new Set(before.map(({ key, input }) => nameOf(key, input)))
  const more = asking.questions.filter(({ key, input }) => !names.has(nameOf(key, input)))
  questions.delete(address)
  if (asking.changes || !asking.public) return true
  questions.set(address, [...before, ...more])
  for (const oldest of questions.keys()) {
    if (questions.size <= MOST_QUESTIONS) break
    questions.delete(oldest)
  }
  return more.length > 0
}

const sizeOf = (page: Forms | undefined) => ({ bytes: page?.bytes ?? 0 })

async function sendForms(request: FastifyRequest, reply: FastifyReply, page: Forms, keep: string) {
  request.page = page.page
  reply.header('etag', page.etag).header('cache-control', keep).header('vary', 'cookie, accept-encoding')
  if (isNamed(request.headers['if-none-match'], page.etag)) return reply.code(304).send()
  reply.type('text/html; charset=utf-8')
  const accepts = request.headers['accept-encoding'] ?? ''
  if (page.br && accepts.includes('br')) return reply.header('content-encoding', 'br').send(await page.br())
  if (accepts.includes('gzip')) return reply.header('content-encoding', 'gzip').send(page.gzip)
  return reply.send(await page.html())
}
