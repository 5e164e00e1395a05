/**
 * Asks a shop as told by its parent, in a process of its own and over bare sockets: what asks must not be slower than
 * what answers. As many connections as people would have are open before it begins; who finds none free waits for one,
 * and that counts as waiting for the answer.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Asked, Plan } from './flood.ts'

/** How long an answer is waited for, milliseconds. */
const ANSWER_MS = 30_000
/** Connections of a flood: those of many people at the same time. */
const CONNECTIONS = 1_000

interface Line {
  socket: Socket
  /** What has arrived of the answer so far. */
  head: string
  /** Bytes that are still missing of its body; undefined while its head is not whole. */
  missing: number | undefined
  answered: (status: number, retryAfter: number) => void
}

const free: Line[] = []
/** Those who wait for a connection. */
const waiting: ((line: Line) => void)[] = []

/** Opens a connection, and another one should it end. */
async function open(port: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const line: Line = { socket, head: '', missing: undefined, answered: () => {} }
  socket.on('data', part => read(line, part))
  socket.on('error', () => {})
  socket.on('close', () => {
    const at = free.indexOf(line)
    if (at >= 0) free.splice(at, 1)
    line.answered(0, 0)
    void open(port)
  })
  await once(socket, 'connect').then(
    () => release(line),
    () => {},
  )
}

function release(line: Line): void {
  const next = waiting.shift()
  if (next) next(line)
  else free.push(line)
}

const numberOf = (head: string, name: string) =>
  Number(new RegExp(`\r\n${name}: *(\\d+)`, 'i').exec(head)?.[1] ?? 0)

function read(line: Line, part: Buffer): void {
  if (line.missing === undefined) {
    line.head += part.toString('latin1')
    const end = line.head.indexOf('\r\n\r\n')
    if (end < 0) return
    const body = line.head.length - end - 4
    line.head = line.head.slice(0, end)
    line.missing = numberOf(line.head, 'content-length') - body
  } else line.missing -= part.length
  if (line.missing > 0) return
  const { head, answered } = line
  line.head = ''
  line.missing = undefined
  line.answered = () => {}
  if (/\r\nconnection: close/i.test(head)) line.socket.destroy()
  else release(line)
  answered(Number(head.slice(9, 12)), numberOf(head, 'retry-after'))
}

/** Sends one request. `scheduled` is when it was to be sent, in milliseconds of `performance.now()`. */
function ask(request: string, scheduled = performance.now()): Promise<Asked> {
  return new Promise(resolve => {
    const late = performance.now() - scheduled
    const send = (line: Line) => {
      const timer = setTimeout(() => line.socket.destroy(), ANSWER_MS)
      line.answered = (status, retryAfter) => {
        clearTimeout(timer)
        resolve({ status, retryAfter, late, took: performance.now() - scheduled })
      }
      line.socket.write(request)
    }
    const line = free.pop()
    if (line) send(line)
    else waiting.push(send)
  })
}

/** So many ask one after the other without pause. */
async function inTurn({ requests, atOnce = 1, ms }: Plan): Promise<Asked[]> {
  const all: Asked[] = []
  const end = performance.now() + ms
  const asking = async (_: unknown, n: number) => {
    for (let at = n; performance.now() < end; at += atOnce)
      all.push(await ask(requests[at % requests.length]!))
  }
  await Promise.all(Array.from({ length: atOnce }, asking))
  return all
}

/** Asks at a rate whatever is answered, as people do who do not know of each other. */
async function atRate({ requests, perSecond = 1, ms }: Plan): Promise<Asked[]> {
  const all: Promise<Asked>[] = []
  const began = performance.now()
  for (let now = 0; now < ms; now = performance.now() - began) {
    while (all.length < (now / 1_000) * perSecond)
      all.push(ask(requests[all.length % requests.length]!, began + (all.length / perSecond) * 1_000))
    await sleep(1)
  }
  return Promise.all(all)
}

process.once('message', async (plan: Plan) => {
  await Promise.all(Array.from({ length: plan.atOnce ?? CONNECTIONS }, () => open(plan.port)))
  const all = await (plan.perSecond === undefined ? inTurn(plan) : atRate(plan))
  process.send?.(all, () => process.exit(0))
})
