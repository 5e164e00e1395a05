import autocannon from 'autocannon'

/** Duration of each measurement; one second of warm-up comes first. */
const SECONDS = 5

export const isQuick = process.argv.includes('--quick')
/** A quick run only checks the responses, on a machine with other load. */
export const CONNECTIONS = isQuick ? 4 : 32
/** Requests per connection in a quick run. */
const QUICK_REQUESTS = 5
/** Duration of each row, seconds. */
export const LOADED = isQuick ? 0.5 : SECONDS

export interface Load {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Requests without a response, or without success. */
  failed: number
  /** Responses within the measured time. */
  answered: number
}

/** A request of a connection's sequence. */
export interface Sent {
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

interface LoadOptions {
  headers?: Record<string, string>
  /** Requests of a connection, repeated from the start. Prepared before the load begins. */
  sequence?: (connection: number) => Sent[]
  connections?: number | undefined
  /** Number of requests instead of a duration, without warm-up. */
  amount?: number
  /** Called when the measurement begins. */
  onStart?: () => void
}

/** A closed loop, over 32 connections by default. Without `sequence` it repeats the url. */
export async function load(
  url: string,
  { headers = {}, sequence, connections = CONNECTIONS, amount, onStart }: LoadOptions = {},
): Promise<Load> {
  let connected = 0
  const settings: autocannon.Options = {
    url,
    headers,
    connections,
    timeout: 30,
    ...(sequence ? { setupClient: client => client.setRequests(sequence(connected++ % connections)) } : {}),
  }
  const total = amount ?? (isQuick ? QUICK_REQUESTS * connections : undefined)
  if (total === undefined) await autocannon({ ...settings, duration: 1 })
  onStart?.()
  const { requests, latency, non2xx, errors, duration } = await autocannon({
    ...settings,
    ...(total === undefined ? { duration: SECONDS } : { amount: total, sampleInt: 50 }),
  })
  const failed = non2xx + errors
  return {
    perSecond: total === undefined ? requests.average : requests.total / duration,
    p50: latency.p50,
    p99: latency.p99,
    failed,
    answered: requests.total,
  }
}
