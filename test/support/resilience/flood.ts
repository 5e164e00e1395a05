import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Person, Sent } from '../person.ts'

/** A load: requests that are sent repeatedly. */
export interface Plan {
  port: number
  requests: string[]
  /** Open loop: requests per second. */
  perSecond?: number
  /** Closed loop: number of connections. */
  connections?: number
  /** Duration, ms. */
  ms: number
}

/** Result of a request. Times are ms since it was scheduled. */
export interface RequestResult {
  /** 0 without a response. */
  status: number
  /** Seconds, 0 without the header. */
  retryAfter: number
  took: number
  /** Delay by the load generator itself. */
  delay: number
}

/** Results of all requests from the load generator, as columns. */
export interface Columns {
  status: Uint16Array
  retryAfter: Uint16Array
  took: Float64Array
  /** As many as were started. */
  delay: Float64Array
}

/** Runs a load in a process of its own. @returns the result of each request, in order */
export async function flood(plan: Plan): Promise<RequestResult[]> {
  const child = fork(join(import.meta.dirname, 'load-generator.ts'), { serialization: 'advanced' })
  child.send(plan)
  const [{ status, retryAfter, took, delay }] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the flood ended with ${code}`)
    }),
  ])) as [Columns]
  return Array.from(status, (status, n) => ({
    status,
    retryAfter: retryAfter[n]!,
    took: took[n]!,
    delay: delay[n]!,
  }))
}

/** A user's request as bytes. */
export function onTheWire(person: Person, { method, url, headers = {}, payload }: Sent): string {
  const body = payload === undefined ? '' : String(payload)
  const all = {
    host: 'localhost',
    ...(person.cookie ? { cookie: person.cookie } : {}),
    ...(body ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
