import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { withShop } from '../support/harness.ts'
import { times } from '../support/person.ts'
import { Faults, milliseconds, percentile, type Scenario } from '../support/scenario.ts'

const SOCKETS = 500
const ENDED_MS = 15_000
const OTHERS_MS = 500

interface Ended {
  status: number
  took: number
}

/** Sends a request at one byte a second. @returns how it ended */
function trickle(port: number, head: string, body: string): Promise<Ended> {
  return new Promise(resolve => {
    const began = performance.now()
    const socket: Socket = connect(port, '127.0.0.1')
    let received = ''
    let at = 0
    socket.write(head)
    const drip = setInterval(() => socket.write(body[at++ % body.length] ?? 'x'), 1_000)
    socket.on('data', bytes => {
      received += bytes
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drip)
      resolve({
        status: Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? 0),
        took: performance.now() - began,
      })
    })
  })
}

const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n`

export const scenario: Scenario = {
  risk: 'slow bodies',
  timed: true,
  promise: '500 sockets at 1 byte/s: 408 within 15 s; others’ p99 under 500 ms',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const shopper = await shop.signUp('shopper')
      const { id } = await shop.list(shopper, { stock: 1000 })
      const slow = times(SOCKETS, n =>
        // Most have a slow body, some slow headers.
        n % 5 > 0
          ? trickle(shop.port, post('/api/auth/login'), '{"a":"')
          : trickle(shop.port, 'GET / HTTP/1.1\r\nhost: x\r\n', 'x'),
      )
      let going = true
      const others: number[] = []
      const calls = [`/api/products/${id}`, '/api/orders/', '/cart', '/']
      const polling = times(5, async n => {
        for (let at = n; going; at++) {
          const began = performance.now()
          const { status } = await shopper.get(calls[at % calls.length] ?? '/')
          others.push(performance.now() - began)
          faults.expect(status === 200, `others: ${status}`)
          await sleep(20)
        }
      })
      const ended = await slow
      going = false
      await polling
      const latest = Math.max(...ended.map(({ took }) => took))
      const timely = ended.filter(({ status }) => status === 408).length
      const p99 = percentile(99, others)
      faults.expect(timely === SOCKETS, `${SOCKETS - timely} without 408`)
      faults.expect(latest < ENDED_MS, 'too late')
      faults.expect(p99 < OTHERS_MS, 'others waited')
      return faults.outcome(
        `${timely} of ${SOCKETS} answered 408, the last after ${(latest / 1000).toFixed(1)} s; p99 of ${others.length} other requests ${milliseconds(p99)}`,
      )
    }),
}
