import { connect } from 'node:net'
import { times } from '../person.ts'

/** A body: its head, and then a chunk repeated so many times. */
export interface ChunkedRequest {
  head: string
  text: string
  times: number
  /** Interval between chunks, ms, each a segment of its own; without it all is sent as fast as possible. */
  every?: number
}

/** Timeout of a response, ms. */
const ANSWER_MS = 20_000

/** Sends one. @returns the status; 0 if the connection was closed before it was read; -1 without an end in time */
function sendChunks(port: number, { head, text, times: count, every }: ChunkedRequest): Promise<number> {
  return new Promise(resolve => {
    let received = ''
    let left = count
    let drip: NodeJS.Timeout | undefined
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      socket.write(head)
      if (every === undefined) socket.write(text.repeat(count))
      else drip = setInterval(() => left-- > 0 && socket.write(text), every)
    })
    let none = 0
    const timer = setTimeout(() => {
      none = -1
      socket.destroy()
    }, ANSWER_MS)
    const end = () => {
      clearTimeout(timer)
      clearInterval(drip)
      socket.destroy()
      resolve(Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? none))
    }
    socket.on('data', bytes => {
      received += bytes
      // The shop answers early, and then closes the connection.
      if (received.includes('\r\n\r\n')) end()
    })
    socket.on('error', () => {})
    socket.on('close', end)
  })
}

process.once(
  'message',
  async ({ port, groups }: { port: number; groups: Record<string, ChunkedRequest[]> }) => {
    const responses: Record<string, number[]> = {}
    for (const [name, group] of Object.entries(groups))
      responses[name] = await times(group.length, n => sendChunks(port, group[n]!))
    process.send?.(responses)
  },
)
