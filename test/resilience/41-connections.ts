import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { withShop } from '../support/harness.ts'
import { times } from '../support/person.ts'
import { Faults, milliseconds, percentile, type Scenario } from '../support/scenario.ts'

const CONNECTIONS = 4_000
const LIMIT = 250
const OTHERS_MS = 500
const REQUESTS = 200

/** Holds a connection open after one request. */
class Holder {
  readonly #socket: Socket
  answered = false
  ended = false

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1', () =>
      this.#socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'),
    )
      .on('error', () => {})
      .on('data', () => {
        this.answered = true
      })
      .on('close', () => {
        this.ended = true
      })
  }

  get holds(): boolean {
    return this.answered && !this.ended
  }

  end(): void {
    this.#socket.destroy()
  }
}

/** A request from another network over a connection of its own. @returns its status; 0 without a response */
const statusOf = (port: number, path: string) =>
  new Promise<number>(resolve => {
    const from = { port, host: '127.0.0.1', localAddress: '127.0.0.2', path, agent: false as const }
    const sent = request(from, response => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', () => resolve(0)).end()
  })

export const scenario: Scenario = {
  risk: 'connection exhaustion',
  timed: true,
  promise: `${CONNECTIONS} connections from one address: it gets ${LIMIT}, and every request from another address is answered, p99 under ${OTHERS_MS} ms`,
  run: () =>
    withShop({ LIMITS: 'on', LOG_LEVEL: 'warn' }, async shop => {
      const faults = new Faults()
      const calls = ['/healthz', '/api/products/', '/']
      const limit = Math.ceil(LIMIT / shop.serving().length) * shop.serving().length
      const holders: Holder[] = []
      const took: number[] = []
      try {
        for (let n = 0; n < CONNECTIONS; n++) {
          holders.push(new Holder(shop.port))
          if (n % 100 === 0) await sleep(5)
        }
        await times(4, async n => {
          for (let at = n; at < REQUESTS; at += 4) {
            const began = performance.now()
            const status = await statusOf(shop.port, calls[at % calls.length] ?? '/')
            took.push(performance.now() - began)
            faults.expect(status === 200, `others: ${status}`)
            await sleep(20)
          }
        })
        const open = holders.filter(({ holds }) => holds).length
        const p99 = percentile(99, took)
        faults.expect(open > 0 && open <= limit, `it holds ${open}`)
        faults.expect(p99 < OTHERS_MS, 'others waited')
        faults.expect(shop.log.includes('one network has all connections'), 'no line in the log')
        return faults.outcome(
          `${open} of ${CONNECTIONS} connections stayed; ${took.length} requests from another address were answered, p99 ${milliseconds(p99)}`,
        )
      } finally {
        for (const holder of holders) holder.end()
      }
    }),
}
