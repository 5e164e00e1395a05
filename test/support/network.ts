import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import type { Wire } from './person.ts'

/** Maximum number of connections of a scenario: more would be refused by the system, not by the shop. */
const connections = new Agent({ keepAlive: true, maxSockets: 600, scheduling: 'fifo' })
/** How long an answer is waited for, milliseconds. */
const ANSWER_MS = 30_000
/** Characters that browsers encode in a path. */
const NOT_ASCII = /[^\x21-\x7e]+/gu

/** Requests over keep-alive connections, as by browsers. A response that does not come is an error. */
export function overNetwork(port: number, agent = connections): Wire {
  return ({ method, url, headers = {}, payload }) =>
    new Promise((resolve, reject) => {
      const isJson = typeof payload === 'object' && !Buffer.isBuffer(payload)
      const bytes = isJson ? JSON.stringify(payload) : payload
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          method,
          path: url.replace(NOT_ASCII, text => encodeURIComponent(text.toWellFormed())),
          headers: {
            ...(isJson ? { 'content-type': 'application/json' } : {}),
            ...(bytes === undefined ? {} : { 'content-length': Buffer.byteLength(bytes) }),
            ...headers,
          },
          agent,
        },
        response => {
          const parts: Buffer[] = []
          response.on('data', part => parts.push(part))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers as OutgoingHttpHeaders,
              text: Buffer.concat(parts).toString(),
            }),
          )
        },
      )
      sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error(`no answer to ${method} ${url}`)))
      sent.on('error', reject)
      sent.end(bytes)
    })
}
