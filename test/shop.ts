import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { inject } from 'vitest'
import type { User } from '#accounts/contract.ts'
import type { Listing, ListingDraft } from '#products/contract.ts'
import { type Connection, connect, type Database } from '#server/database.ts'
import { type Files, localFiles } from '#server/files.ts'
import { Kept } from '#server/kept.ts'
import { builtPages } from '#server/renderer.ts'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/server/config.ts'
import { onServer } from './setup.ts'

/** What a call answered. `body` is parsed JSON, or the text where it is none. */
export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely; the contracts are what they test
  body: any
  headers: Record<string, string | string[] | number | undefined>
}

/** Somebody with a browser's memory for cookies, who speaks to the shop. */
export class Person {
  readonly #app: FastifyInstance
  cookie = ''
  user!: User
  password = 'secret-1'

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  get = (url: string, headers?: Record<string, string>) => this.send({ method: 'GET', url, headers })
  post = (url: string, body?: unknown, headers?: Record<string, string>) =>
    this.#json('POST', url, body, headers)
  put = (url: string, body?: unknown, headers?: Record<string, string>) =>
    this.#json('PUT', url, body, headers)
  delete = (url: string, body?: unknown, headers?: Record<string, string>) =>
    this.#json('DELETE', url, body, headers)

  #json(
    method: 'POST' | 'PUT' | 'DELETE',
    url: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    return this.send({ method, url, headers: { 'content-type': 'application/json', ...headers }, ...payload })
  }

  /** Sends a file as the field `image`, or under another name. */
  async upload(
    url: string,
    file: Buffer,
    name = 'photo.png',
    field = 'image',
    type = 'image/png',
  ): Promise<Answer> {
    const form = new FormData()
    form.set(field, new File([new Uint8Array(file)], name, { type }))
    const encoded = new Response(form)
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    return this.send({ method: 'POST', url, headers, payload: Buffer.from(await encoded.arrayBuffer()) })
  }

  /** Any request at all, with this person's cookies. */
  async send(request: InjectOptions): Promise<Answer> {
    const cookie = this.cookie ? { cookie: this.cookie } : {}
    const response = await this.#app.inject({ ...request, headers: { ...cookie, ...request.headers } })
    for (const { name, value } of response.cookies) this.cookie = value ? `${name}=${value}` : ''
    let body: unknown = response.body
    try {
      body = response.json()
    } catch {
      // A page or a picture.
    }
    return { status: response.statusCode, body, headers: response.headers }
  }
}

export interface TestShop {
  app: FastifyInstance
  db: Database
  connection: Connection
  files: Files
  /** Where it listens; undefined without `listen`. */
  address: string
  visitor(): Person
  /** A new account, signed in. The name becomes part of username and e-mail. */
  signUp(name?: string): Promise<Person>
  /** A listing of this person, without a photo. */
  list(seller: Person, draft?: Partial<ListingDraft>): Promise<Listing>
  /** What the stock table says. */
  stockOf(id: number): Promise<number>
  /** Adds to the stock of a listing past all rules of the shop, or takes from it. */
  correctStock(id: number, units: number): Promise<void>
  close(): Promise<void>
}

interface Options {
  /** Settings as in the environment: { LIMITS: 'on', OWN_LISTINGS: 'refuse' }. Limits are off unless told. */
  settings?: Record<string, string>
  /** Serve the built pages too. */
  pages?: boolean
  /** Listen on a free port of 127.0.0.1. */
  listen?: boolean
  /** On a database of the server that is there already. */
  database?: string
}

/** The real app on a database of its own, a copy of the migrated template. Close it when done. */
export async function openShop({
  settings = {},
  pages = false,
  listen = false,
  database,
}: Options = {}): Promise<TestShop> {
  const server = inject('server')
  const name = database ?? `shop_${randomUUID().replaceAll('-', '')}`
  if (!database) await onServer(server, `create database ${name} template ${inject('template')}`)
  const config = readConfig({ LIMITS: 'off', DEMO: 'off', LOG_LEVEL: 'silent', PORT: '0', ...settings })
  const connection = { ...server, database: name } as Connection
  const { db, close } = connect(connection, config.databasePool)
  const kept = new Kept()
  await kept.listen(connection)
  const files = localFiles(join(inject('root'), name))
  const app = await createApp({
    config,
    db,
    files,
    kept,
    ...(pages ? { pages: () => builtPages(inject('built')) } : {}),
  })
  await app.ready()
  const address = listen ? await app.listen({ port: 0, host: '127.0.0.1' }) : ''

  const signUp = async (nickname = 'ana'): Promise<Person> => {
    const person = new Person(app)
    const unique = `${nickname}-${randomUUID().slice(0, 8)}`
    const fields = {
      email: `${unique}@example.com`,
      username: unique,
      first_name: 'Ana',
      last_name: 'Weaver',
    }
    const answer = await person.post('/api/auth/signup', { ...fields, password: person.password })
    if (answer.status !== 201) throw new Error(`signup failed: ${JSON.stringify(answer.body)}`)
    person.user = answer.body
    return person
  }
  return {
    app,
    db,
    connection,
    files,
    address,
    signUp,
    visitor: () => new Person(app),
    async list(seller, draft = {}) {
      const answer = await seller.post('/api/products/', { ...aMug, ...draft })
      if (answer.status !== 201) throw new Error(`listing failed: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    async stockOf(id) {
      return (
        await db.selectFrom('stock').select('quantity').where('product_id', '=', id).executeTakeFirstOrThrow()
      ).quantity
    },
    async correctStock(id, units) {
      await db.insertInto('stock_ledger').values({ product_id: id, units, reason: 'correction' }).execute()
    },
    async close() {
      await app.close()
      await kept.close()
      await close()
      await onServer(server, `drop database if exists ${name} with (force)`)
    },
  }
}

/** A listing that holds every rule. */
export const aMug: ListingDraft = {
  name: 'Speckled mug',
  category: 'Home & Living',
  description: 'Stoneware, holds 300 ml.',
  price: 24.5,
  stock: 5,
}
