import { randomUUID } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { User } from '#accounts/contract.ts'
import type { Listing, NewListing } from '#products/contract.ts'
import { aMug } from './listings.ts'

/** A response. `body` is parsed JSON, or the text. */
export interface TestResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of answers; the contracts are what they test
  body: any
  headers: OutgoingHttpHeaders
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'TRACE'
/** One request. A payload that is neither text nor bytes is sent as JSON. */
export interface Sent {
  method: Method
  url: string
  headers?: Record<string, string> | undefined
  payload?: string | Buffer | object
}
/** Carries a request to a shop. */
export type Wire = (request: Sent) => Promise<{ status: number; headers: OutgoingHttpHeaders; text: string }>

/** The default password. */
export const PASSWORD = 'secret-1'

/** Names of the cookies beside the session’s: the country, and that of an operator. */
const BESIDES = /^(country|(__Host-)?operator)$/

/** A user with a browser's cookies, who sends requests to the shop. */
export class Person {
  readonly #wire: Wire
  cookie = ''
  /** Other cookies of the whole shop, by name. */
  choices: Record<string, string> = {}
  /** Path → device cookie. */
  devices: Record<string, string> = {}
  user!: User
  password = PASSWORD
  /** Place of their shop, and time of signup (ISO 8601). Empty if they signed up themselves. */
  town = ''
  since = ''

  constructor(wire: Wire) {
    this.#wire = wire
  }

  /** As shown beside a review: 'Ben Horvath'. */
  get name(): string {
    return `${this.user.first_name} ${this.user.last_name}`
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
  ): Promise<TestResponse> {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    return this.send({ method, url, headers: { 'content-type': 'application/json', ...headers }, ...payload })
  }

  /** Uploads a file as the field `image`, or under another name. */
  async upload(
    url: string,
    file: Buffer,
    name = 'photo.png',
    field = 'image',
    type = 'image/png',
  ): Promise<TestResponse> {
    const form = new FormData()
    form.set(field, new File([new Uint8Array(file)], name, { type }))
    const encoded = new Response(form)
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    return this.send({ method: 'POST', url, headers, payload: Buffer.from(await encoded.arrayBuffer()) })
  }

  /** Any request, with this user's cookies. */
  async send(request: Sent): Promise<TestResponse> {
    const device = this.devices[request.url.replace(/\?.*/, '')]
    const choices = Object.entries(this.choices).map(([name, value]) => `${name}=${value}`)
    const cookies = [this.cookie, device, ...choices].filter(Boolean).join('; ')
    const cookie: Record<string, string> = cookies ? { cookie: cookies } : {}
    const { status, headers, text } = await this.#wire({
      ...request,
      headers: { ...cookie, ...request.headers },
    })
    for (const set of [headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(String(set)) ?? []
      const [, path = '/'] = /; Path=([^;]*)/.exec(String(set)) ?? []
      if (path !== '/') this.devices[path] = `${name}=${value}`
      else if (name && BESIDES.test(name)) this.choices = { ...this.choices, [name]: value ?? '' }
      else this.cookie = value ? `${name}=${value}` : ''
    }
    let body: unknown = text
    try {
      body = JSON.parse(text)
    } catch {
      // A page or a picture.
    }
    return { status, body, headers }
  }
}

/** A shop with operations for tests. */
export interface Shop {
  visitor(): Person
  /** A new account, logged in. The name becomes part of username and e-mail. */
  signUp(name?: string): Promise<Person>
  /** A listing of this user, without a photo. */
  list(seller: Person, input?: Partial<NewListing>): Promise<Listing>
  /** Stock of a listing. */
  stockOf(id: number): Promise<number>
}

const surnames =
  'Abara Brandt Castellan Dvorak Eriksen Farouk Gallego Horvath Ivanova Jansen Kowalski Lindqvist Moreau Novak Okafor Petrov Quispe'.split(
    ' ',
  )
const towns =
  'Arezzo Bruges Cadiz Delft Evora Faro Ghent Haarlem Izmir Jerez Krakow Lucca Malmo Narva Oviedo Porto Quimper Riga Siena'.split(
    ' ',
  )
let known = 0
let homes = 0

/**
 * A new user's signup data, without the password. Names are unique in a test, so that mix-ups show: 'ben' is Ben
 * Horvath, the next 'ben' Ben Ivanova.
 */
export function newcomer(nickname = 'ana') {
  const username = `${nickname}-${randomUUID().slice(0, 8)}`
  const letters = nickname
    .replace(/[^a-z]/gi, '')
    .padEnd(3, 'a')
    .slice(0, 30)
  const first_name = letters.charAt(0).toUpperCase() + letters.slice(1)
  const last_name = surnames[known++ % surnames.length] ?? ''
  return { email: `${username}@example.com`, username, first_name, last_name }
}

/** Place and date of signup, different for each user. */
export function home(): { town: string; since: Date } {
  const town = towns[homes++ % towns.length] ?? ''
  return { town, since: new Date(Date.UTC(2024, 0, 3 + ((homes * 11) % 500), 12)) }
}

/** The shop behind a wire. */
export function shopAt(wire: Wire): Shop {
  const visitor = () => new Person(wire)
  return {
    visitor,
    async signUp(nickname) {
      const person = visitor()
      const fields = newcomer(nickname)
      const response = await person.post('/api/auth/signup', { ...fields, password: person.password })
      if (response.status !== 201) throw new Error(`signup failed: ${JSON.stringify(response.body)}`)
      person.user = response.body
      return person
    },
    async list(seller, input = {}) {
      const response = await seller.post('/api/products/', { ...aMug, ...input })
      if (response.status !== 201) throw new Error(`listing failed: ${JSON.stringify(response.body)}`)
      return response.body
    },
    async stockOf(id) {
      return (await visitor().get(`/api/products/${id}`)).body.stock
    },
  }
}

/** Runs something many times concurrently: `times(20, () => ana.post(…))`. */
export function times<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => work(n)))
}

/** Number of responses with each status: { 201: 1, 409: 19 }. */
export function countStatuses(responses: Pick<TestResponse, 'status'>[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
