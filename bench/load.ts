import autocannon from 'autocannon'

/** Of each measurement; one more goes before it. */
const SECONDS = 5

export const isQuick = process.argv.includes('--quick')
/** A quick run only looks whether everything is answered, on a machine that may have much else to do. */
export const CONNECTIONS = isQuick ? 4 : 32
/** Requests of each connection in a quick run. */
const FEW = 5
/** How long each row is loaded, seconds. */
export const LOADED = isQuick ? 0.5 : SECONDS

export interface Load {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Answers that were none, or no success. */
  failed: number
  /** How many were answered in the time that was measured. */
  answered: number
}

/** One of the requests that a connection sends in turn. */
export interface Sent {
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

interface Asked {
  headers?: Record<string, string>
  /** What a connection sends, one after the other and again from the beginning. Made ready before the load begins. */
  turns?: (connection: number) => Sent[]
  connections?: number | undefined
  /** How many requests instead of how long, and none before them. */
  amount?: number
  /** Called when the time that is measured begins. */
  begun?: () => void
}

/** Asks as fast as answers come, over 32 connections unless told. Without `turns` the url is asked again and again. */
export async function load(
  url: string,
  { headers = {}, turns, connections = CONNECTIONS, amount, begun }: Asked = {},
): Promise<Load> {
  let connected = 0
  const settings: autocannon.Options = {
    url,
    headers,
    connections,
    timeout: 30,
    ...(turns ? { setupClient: client => client.setRequests(turns(connected++ % connections)) } : {}),
  }
  const most = amount ?? (isQuick ? FEW * connections : undefined)
  if (most === undefined) await autocannon({ ...settings, duration: 1 })
  begun?.()
  const { requests, latency, non2xx, errors, duration } = await autocannon({
    ...settings,
    ...(most === undefined ? { duration: SECONDS } : { amount: most, sampleInt: 50 }),
  })
  const failed = non2xx + errors
  return {
    perSecond: most === undefined ? requests.average : requests.total / duration,
    p50: latency.p50,
    p99: latency.p99,
    failed,
    answered: requests.total,
  }
}
