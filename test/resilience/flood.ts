import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Person, Sent } from '../support/person.ts'

/** What a flood is made of: requests as they are sent, over and over. */
export interface Plan {
  port: number
  requests: string[]
  /** Requests a second, whatever is answered. */
  perSecond?: number
  /** Without a rate: so many ask one after the other without pause. */
  atOnce?: number
  /** How long, milliseconds. */
  ms: number
}

/** What became of one request. Times are milliseconds since it was to be sent. */
export interface Asked {
  /** 0 where there was no answer. */
  status: number
  /** Seconds, 0 where nothing was said of it. */
  retryAfter: number
  took: number
  /** By how much it was sent too late: the flood's own slowness. */
  late: number
}

/** The same of all, as it comes from the process that asks: its nth values are those of the nth request. */
export interface Noted {
  status: Uint16Array
  retryAfter: Uint16Array
  took: Float64Array
  /** As many as were begun. */
  late: Float64Array
}

/** Sends a flood from a process of its own, and tells what became of each request, in the order of asking. */
export async function flood(plan: Plan): Promise<Asked[]> {
  const child = fork(join(import.meta.dirname, 'flooder.ts'), { serialization: 'advanced' })
  child.send(plan)
  const [{ status, retryAfter, took, late }] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the flood ended with ${code}`)
    }),
  ])) as [Noted]
  return Array.from(status, (status, n) => ({
    status,
    retryAfter: retryAfter[n]!,
    took: took[n]!,
    late: late[n]!,
  }))
}

/** A request of somebody as it goes over the wire. */
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
