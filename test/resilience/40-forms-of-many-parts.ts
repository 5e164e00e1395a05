import { setTimeout as sleep } from 'node:timers/promises'
import { withShop } from '../support/harness.ts'
import type { ChunkedRequest } from '../support/resilience/chunk-sender.ts'
import { Faults, milliseconds, type Scenario } from '../support/scenario.ts'
import { growth, others, sendChunks } from './39-tiny-pieces.ts'

const GROWTH_MB = 50
const WAITED_MS = 200
const LARGEST = 10_900_000

/** A form with this part as often as it fits. */
const form = (senders: number, cookie: string, text: string, end = ''): ChunkedRequest[] => {
  const times = Math.floor(LARGEST / text.length)
  const headers = [
    'POST /products/new HTTP/1.1',
    'host: x',
    `cookie: ${cookie}`,
    'content-type: multipart/form-data; boundary=B',
    `content-length: ${times * text.length + end.length}`,
  ]
  return Array(senders).fill({ head: `${headers.join('\r\n')}\r\n\r\n${end}`, text, times })
}
const FIELD = '--B\r\ncontent-disposition: form-data; name="a"'
const FILE = `${FIELD}; filename="f"\r\n\r\nx\r\n`
/** A form without files, of 64 kB. */
const plain = (text: string): ChunkedRequest => {
  const times = Math.floor(65_000 / text.length)
  const type = 'content-type: application/x-www-form-urlencoded'
  const length = `content-length: ${times * text.length}`
  return { head: `POST /login HTTP/1.1\r\nhost: x\r\n${type}\r\n${length}\r\n\r\n`, text, times }
}

export const scenario: Scenario = {
  risk: 'forms of many parts',
  timed: true,
  promise:
    'forms of 165,000 files, 209,000 fields or 1.8 million headers, by logged-in users and with invalid cookies: 413; others wait at most 200 ms, no process grows by 50 MB',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const seller = await shop.signUp('seller')
      const { id } = await shop.list(seller, { stock: 1000 })
      const calls = ['/healthz', `/api/products/${id}`, '/api/orders/']
      const pids = shop.serving().join()
      // Warms every process: each new connection may go to another one.
      await others(shop, calls, seller, faults, async () => {
        for (let n = 0; n < 600; n++) await seller.get(calls[n % calls.length] ?? '/')
      })
      const { cookie } = seller
      const groups = {
        'files with a made-up cookie': form(2, 'session=x', FILE),
        files: form(1, cookie, FILE),
        fields: form(1, cookie, `${FIELD}\r\n\r\nx\r\n`),
        headers: form(1, cookie, 'X: y\r\n', `${FIELD}\r\n`),
        'parameters of a header': form(1, cookie, '; x=y', FIELD),
        'fields without files': [plain('a&')],
      }
      let responses: Record<string, number[]> = {}
      const took: number[] = []
      const grown = await growth(shop, async () => {
        const waited = await others(shop, calls, seller, faults, async () => {
          responses = await sendChunks(shop.port, groups)
          await sleep(500)
        })
        took.push(...waited)
      })
      const longest = Math.max(...took)
      for (const [name, statuses] of Object.entries(responses))
        faults.expect(
          statuses.every(status => status === 413),
          `${name}: ${statuses}`,
        )
      faults.expect(shop.alive() && shop.serving().join() === pids, 'a process has ended')
      faults.expect(grown < GROWTH_MB, 'too much memory')
      faults.expect(longest < WAITED_MS, 'somebody waited')
      return faults.outcome(
        `${Object.values(responses).flat().length} forms refused with 413; of ${took.length} other requests the longest took ${milliseconds(longest)}; the largest process grew by ${Math.round(grown)} MB`,
      )
    }),
}
