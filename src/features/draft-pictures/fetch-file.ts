import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** What may be fetched. */
export interface Source {
  /** The only host, exactly: 'i.etsystatic.com'. */
  host: string
  /** Of the largest file. */
  maxBytes: number
  /** Until the encrypted connection is open, ms. */
  connectMs: number
  /** Until the whole file has arrived, ms. */
  totalMs: number
}

/** How hosts are reached. Tests have a network of their own, with a server on this machine. */
export interface Network {
  lookup: (host: string) => Promise<LookupAddress[]>
  isAllowed: (address: string) => boolean
  port: number
  /** Certificates of authorities, PEM. Undefined for those of Node. */
  ca?: string
}

const internet: Network = {
  lookup: host => dns.lookup(host, { all: true }),
  isAllowed: isPublicAddress,
  port: 443,
}

/** The file was not fetched. The message is for people; the cause has the network's error. */
export class PhotoRefused extends Error {
  /** Whether the same request may succeed later. */
  readonly isTemporary: boolean
  /** The host asks for fewer requests. */
  readonly isTooMany: boolean

  constructor(message: string, { again = false, tooMany = false, cause }: Why = {}) {
    super(message, { cause })
    this.isTemporary = again
    this.isTooMany = tooMany
  }
}
interface Why {
  again?: boolean
  tooMany?: boolean
  cause?: unknown
}

/** Each connection is opened for one file, after its address was checked. An agent of its own uses no proxy. */
const agent = new Agent({ keepAlive: false })

/**
 * The URL, if a file may be fetched from it: https, exactly this host, port 443, no user or password.
 * @returns undefined for any other
 */
export function allowedUrl(address: string, host: string): URL | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
  // Compares the hostname that is connected to: the parser has normalized `https://host\@other/` and names in other
  // scripts.
  return isPlain && url.hostname === host ? url : undefined
}

/**
 * Downloads a file from the one allowed host. Refuses redirects. It connects to the IP address that was checked, so
 * another DNS response later has no effect (DNS rebinding).
 * @throws PhotoRefused if the address is not allowed, the host does not respond with a file in time, or the file is
 * too large
 */
export async function fetchFile(
  address: string,
  source: Source,
  signal?: AbortSignal,
  network: Network = internet,
): Promise<Buffer> {
  const url = allowedUrl(address, source.host)
  if (!url) throw new PhotoRefused(`Files are fetched from https://${source.host} only`)
  const late = AbortSignal.timeout(source.totalMs)
  try {
    return await get(url, source, AbortSignal.any([late, ...(signal ? [signal] : [])]), network)
  } catch (cause) {
    if (cause instanceof PhotoRefused) throw cause
    const slow = late.aborted || cause instanceof SlowConnection
    const message = slow ? 'It took too long to arrive' : 'Its server could not be reached'
    throw new PhotoRefused(message, { again: true, cause })
  }
}

class SlowConnection extends Error {}

async function get(url: URL, source: Source, signal: AbortSignal, network: Network): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = request({
    host: url.hostname,
    servername: url.hostname,
    port: network.port,
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, accept: 'image/*', 'accept-encoding': 'identity' },
    agent,
    ca: network.ca,
    rejectUnauthorized: true,
    lookup: checkedLookup(network),
    signal,
  })
  const slow = setTimeout(() => sent.destroy(new SlowConnection()), source.connectMs)
  sent
    .on('socket', (socket: Socket) => socket.once('secureConnect', () => clearTimeout(slow)))
    .on('response', resolve)
    .on('error', reject)
    .end()
  try {
    return await fileIn(await promise, source.maxBytes)
  } finally {
    clearTimeout(slow)
    sent.destroy()
  }
}

/** Resolves a name, and refuses it if one of its addresses is not allowed. */
const checkedLookup =
  ({ lookup, isAllowed }: Network): LookupFunction =>
  (host, options, done) => {
    lookup(host).then(
      addresses => {
        const [first] = addresses
        if (!first || !addresses.every(({ address }) => isAllowed(address)))
          return done(new PhotoRefused('Its server has an address that is not public'), '')
        if (options.all) done(null, addresses)
        else done(null, first.address, first.family)
      },
      error => done(error, ''),
    )
  }

/** The file in a response. */
async function fileIn(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const status = response.statusCode ?? 0
  if (status === 429) throw new PhotoRefused('Its server is busy', { again: true, tooMany: true })
  if (status >= 500) throw new PhotoRefused('Its server has an error', { again: true })
  if (status === 404 || status === 410) throw new PhotoRefused('It is not there any more')
  if (status >= 300 && status < 400) throw new PhotoRefused('It has moved to another address')
  if (status !== 200) throw new PhotoRefused(`Its server refused it (${status})`)
  const tooLarge = () => new PhotoRefused(`It is larger than ${Math.floor(maxBytes / 2 ** 20)} MB`)
  const length = Number(response.headers['content-length'] ?? Number.NaN)
  if (length > maxBytes) throw tooLarge()
  const blocks: Buffer[] = []
  let size = 0
  for await (const block of response as AsyncIterable<Buffer>) {
    size += block.length
    if (size > maxBytes) throw tooLarge()
    blocks.push(block)
  }
  return Buffer.concat(blocks)
}
