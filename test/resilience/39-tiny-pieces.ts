import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RealShop, withShop } from '../support/harness.ts'
import { type Person, times } from '../support/person.ts'
import type { ChunkedRequest } from '../support/resilience/chunk-sender.ts'
import { Faults, milliseconds, percentile, type Scenario } from '../support/scenario.ts'

const GROWTH_MB = 50
const OTHERS_MS = 500
/** Senders that find only a closed connection. */
const MAX_CLOSED = 5

/** Sends bodies from a process of its own, group by group. @returns statuses by group, as chunk-sender.ts says */
export async function sendChunks(
  port: number,
  groups: Record<string, ChunkedRequest[]>,
): Promise<Record<string, number[]>> {
  const child = fork(join(import.meta.dirname, '../support/resilience/chunk-sender.ts'))
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The sender ended with ${code}`)
  })
  child.send({ port, groups })
  const [answers] = (await Promise.race([once(child, 'message'), ended])) as [Record<string, number[]>]
  ended.catch(() => {})
  child.kill()
  return answers
}

const CHUNKED = 'transfer-encoding: chunked'
const FORM = 'content-type: multipart/form-data; boundary=B'
const JSON_TYPE = 'content-type: application/json'
const PART = '--B\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n'

const headOf = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n')
/** Senders of bodies in chunks of one byte. */
const chunks = (senders: number, count: number, line: string, ...headers: string[]): ChunkedRequest[] =>
  Array(senders).fill({ head: headOf(line, CHUNKED, ...headers), text: '1\r\na\r\n', times: count })

/** Every kind of request in pieces of one byte. */
function piecesOf({ cookie }: Person, listing: number): Record<string, ChunkedRequest[]> {
  const known = `cookie: ${cookie}`
  const upload = chunks(4, 400_000, `POST /api/products/${listing}/images`, FORM, known)
  const inFile = upload.map(one => ({
    ...one,
    head: `${one.head}${PART.length.toString(16)}\r\n${PART}\r\n`,
  }))
  const drip = headOf('POST /api/auth/login', JSON_TYPE, 'content-length: 60000')
  return {
    'a made-up cookie': chunks(1, 1_200_000, 'POST /products/new', FORM, 'cookie: session=x'),
    'the login page': chunks(14, 65_000, 'POST /login', FORM),
    'the login call': chunks(14, 65_000, 'POST /api/auth/login', JSON_TYPE),
    'a form of somebody signed in': chunks(4, 400_000, 'POST /products/new', FORM, known),
    'a photo': inFile,
    'a read': chunks(14, 65_000, 'GET /'),
    'refused at once': chunks(14, 65_000, 'POST /login', FORM, 'origin: http://elsewhere.example'),
    'segments of one byte': Array(5).fill({ head: drip, text: 'x', times: 60_000, every: 1 }),
  }
}

/** Resident memory of a process, bytes. */
const rss = (pid: number) => 4096 * Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])

/** Maximum growth of a process during this work, MB; infinite if it was restarted. */
export async function growth(shop: RealShop, work: () => Promise<unknown>): Promise<number> {
  const before = new Map(shop.serving().map(pid => [pid, rss(pid)]))
  let peak = 0
  const poll = () => {
    for (const [pid, bytes] of before) {
      try {
        peak = Math.max(peak, rss(pid) - bytes)
      } catch {
        peak = Number.POSITIVE_INFINITY
      }
    }
  }
  const watch = setInterval(poll, 20)
  try {
    await work()
  } finally {
    clearInterval(watch)
  }
  poll()
  return peak / 2 ** 20
}

/** Repeats these requests until the work is done. @returns their durations, ms */
export async function others(
  shop: RealShop,
  calls: string[],
  shopper: Person,
  faults: Faults,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const took: number[] = []
  let going = true
  const polling = times(5, async n => {
    for (let at = n; going; at++) {
      const began = performance.now()
      const url = calls[at % calls.length] ?? '/'
      const status = await statusOf(shop.port, url, shopper.cookie)
      took.push(performance.now() - began)
      faults.expect(status === 200, `others: ${status} to ${url}`)
      await sleep(10)
    }
  })
  try {
    await work()
  } finally {
    going = false
    await polling
  }
  return took
}

/** A request over a connection of its own. 0 without a response. */
const statusOf = (port: number, path: string, cookie: string) =>
  new Promise<number>(resolve => {
    const sent = request({ port, host: '127.0.0.1', path, headers: { cookie }, agent: false }, answer => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      answer.on('error', () => resolve(0))
    })
    sent.on('error', () => resolve(0)).end()
  })

export const scenario: Scenario = {
  risk: 'bodies in tiny chunks',
  timed: true,
  promise:
    '1.2 million chunks of one byte over one connection, 65,000 over each of 14, in files, in segments: refused, at most 5 of 70 only by a closed connection; no restart, each process grows by less than 50 MB, p99 of others under 500 ms',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const seller = await shop.signUp('seller')
      const { id } = await shop.list(seller, { stock: 1000 })
      const calls = [`/api/products/${id}`, '/api/orders/', '/cart', '/']
      const pids = shop.serving().join()
      // Warm-up.
      for (let n = 0; n < 600; n++) await seller.get(calls[n % calls.length] ?? '/')
      let answers: Record<string, number[]> = {}
      let took: number[] = []
      const grown = await growth(shop, async () => {
        took = await others(shop, calls, seller, faults, async () => {
          answers = await sendChunks(shop.port, piecesOf(seller, id))
        })
      })
      const all = Object.values(answers).flat()
      const closed = all.filter(status => status === 0).length
      const p99 = percentile(99, took)
      // A read may be answered before its chunks arrive. A sender that still writes may find only a closed connection.
      for (const [name, statuses] of Object.entries(answers))
        faults.expect(
          statuses.every(
            status =>
              status === 0 || (status >= 400 && status < 500) || (name === 'a read' && status === 200),
          ),
          `${name}: ${statuses}`,
        )
      faults.expect(closed <= MAX_CLOSED, `${closed} senders without a response`)
      faults.expect(shop.alive() && shop.serving().join() === pids, 'a process has ended')
      faults.expect(grown < GROWTH_MB, 'too much memory')
      faults.expect(p99 < OTHERS_MS, 'others waited')
      return faults.outcome(
        `${all.length} senders refused, ${closed} of them only by a closed connection; the largest process grew by ${Math.round(grown)} MB; p99 of ${took.length} other requests ${milliseconds(p99)}`,
      )
    }),
}
