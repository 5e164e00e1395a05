import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createPlainServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPhotoServer, type PhotoServer } from '../../../test/support/photo-server.ts'
import { allowedUrl, fetchFile, type Network, PhotoRefused } from './fetch-file.ts'
import { isPublicAddress } from './public-address.ts'

const HOST = 'i.etsystatic.com'
const SOURCE = { host: HOST, maxBytes: 2 ** 20, connectMs: 5_000, totalMs: 5_000 }
const URL_OF_IT = `https://${HOST}/1/il_fullxfull.1.jpg`

let server: PhotoServer
let answer: RequestListener
beforeAll(async () => {
  server = await openPhotoServer((request, response) => answer(request, response))
})
afterAll(() => server.close())
beforeEach(() => {
  server.asked.length = 0
  answer = (_, response) => response.end('the file')
})

const get = (url = URL_OF_IT, network: Partial<Network> = {}, source = {}, signal?: AbortSignal) =>
  fetchFile(url, { ...SOURCE, ...source }, signal, { ...server.network, ...network })
/** Why a fetch fails. */
const failure = async (fetched: Promise<Buffer>): Promise<PhotoRefused> => {
  const error = await fetched.then(
    () => new Error('It was fetched'),
    error => error,
  )
  expect(error).toBeInstanceOf(PhotoRefused)
  return error as PhotoRefused
}

test.each([
  'http://i.etsystatic.com/a.jpg',
  'ftp://i.etsystatic.com/a.jpg',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  '//i.etsystatic.com/a.jpg',
  'i.etsystatic.com/a.jpg',
  'https://i.etsystatic.com:8443/a.jpg',
  'https://i.etsystatic.com:80/a.jpg',
  'https://user@i.etsystatic.com/a.jpg',
  'https://user:secret@i.etsystatic.com/a.jpg',
  'https://:secret@i.etsystatic.com/a.jpg',
  'https://i.etsystatic.com@evil.example/a.jpg',
  'https://evil.example/i.etsystatic.com',
  'https://evil.example#i.etsystatic.com',
  'https://evil.example\\@i.etsystatic.com/a.jpg',
  'https://i.etsystatic.com.evil.example/a.jpg',
  'https://evil-i.etsystatic.com/a.jpg',
  'https://x.i.etsystatic.com/a.jpg',
  'https://i.etsystatic.com./a.jpg',
  'https://etsystatic.com/a.jpg',
  'https://127.0.0.1/a.jpg',
  'https://2130706433/a.jpg',
  'https://[::1]/a.jpg',
  'https://[::ffff:127.0.0.1]/a.jpg',
  'https://169.254.169.254/latest/meta-data/',
  'https://localhost/a.jpg',
  '',
  'https://',
])('no connection is opened for %j', async url => {
  const before = server.connections
  const looked: string[] = []
  const lookup: Network['lookup'] = host => {
    looked.push(host)
    return server.network.lookup(host)
  }
  expect((await failure(get(url, { lookup }))).isTemporary).toBe(false)
  expect([looked, server.connections]).toEqual([[], before])
})

test('the host is compared after it was parsed', () => {
  expect(allowedUrl('https://I.ETSYSTATIC.COM:443/a.jpg', HOST)?.href).toBe('https://i.etsystatic.com/a.jpg')
  expect(allowedUrl('  https://i.etsystatic.com/a\n.jpg', HOST)?.href).toBe('https://i.etsystatic.com/a.jpg')
})

test('a file is fetched', async () => {
  expect(String(await get())).toBe('the file')
  expect(server.asked).toEqual(['/1/il_fullxfull.1.jpg'])
})

test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1'])(
  'a name that leads to %s is refused, and no connection is opened',
  async address => {
    const before = server.connections
    const lookup = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
    const { message } = await failure(get(URL_OF_IT, { lookup, isAllowed: isPublicAddress }))
    expect(message).toBe('Its server has an address that is not public')
    expect(server.connections).toBe(before)
  },
)

test('one private address among public ones is enough to refuse a name', async () => {
  const lookup = async () => ['8.8.8.8', '10.0.0.1'].map(address => ({ address, family: 4 }))
  expect((await failure(get(URL_OF_IT, { lookup, isAllowed: isPublicAddress }))).message).toMatch(
    /not public/,
  )
})

test('the connection goes to the address that was checked: the name is looked up once', async () => {
  const answers = ['127.0.0.1', '127.0.0.66']
  const lookup = async () => [{ address: answers.shift() ?? '127.0.0.66', family: 4 }]
  const checked: string[] = []
  const isAllowed = (address: string) => checked.push(address) > 0
  expect(String(await get(URL_OF_IT, { lookup, isAllowed }))).toBe('the file')
  expect([checked, answers]).toEqual([['127.0.0.1'], ['127.0.0.66']])
})

test('a certificate that is not of this host, or of no known authority, is refused', async () => {
  const { ca: _, ...network } = server.network
  const unknown = await failure(fetchFile(URL_OF_IT, SOURCE, undefined, network))
  expect((unknown.cause as { code?: string }).code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  const other = await failure(get('https://img.example/a.jpg', {}, { host: 'img.example' }))
  expect((other.cause as { code?: string }).code).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  expect(server.asked).toEqual([])
})

test.each([
  'https://127.0.0.1/private',
  'http://169.254.169.254/latest/meta-data/',
  '/elsewhere',
  `https://${HOST}/2`,
])('a redirect to %s is not followed', async location => {
  let visits = 0
  const inside = createServer((_, response) => {
    visits++
    response.end()
  }).listen(0, '127.0.0.1')
  await once(inside, 'listening')
  const { port } = inside.address() as AddressInfo
  answer = (_, response) =>
    response.writeHead(302, { location: location.replace('127.0.0.1', `127.0.0.1:${port}`) }).end()
  expect((await failure(get())).message).toBe('It has moved to another address')
  expect([server.asked.length, visits]).toEqual([1, 0])
  inside.close()
})

test.each([
  [429, true, true],
  [500, true, false],
  [503, true, false],
  [404, false, false],
  [403, false, false],
  [204, false, false],
])('status %i: tried again %s, fewer requests %s', async (status, isTemporary, isTooMany) => {
  answer = (_, response) => response.writeHead(status).end()
  expect(await failure(get())).toMatchObject({ isTemporary, isTooMany })
})

test('a file that is announced as too large is not read', async () => {
  answer = (_, response) => response.writeHead(200, { 'content-length': 2 ** 30 }).write('x')
  expect((await failure(get())).message).toBe('It is larger than 1 MB')
})

test('bytes without end are cut off at the limit', async () => {
  let sent = 0
  answer = (_, response) => {
    const block = Buffer.alloc(64 * 1024)
    const more = () => {
      while (!response.destroyed && response.write(block)) sent += block.length
    }
    response.on('drain', more)
    more()
  }
  expect((await failure(get())).message).toBe('It is larger than 1 MB')
  expect(sent).toBeLessThan(32 * 2 ** 20)
})

test('a server that sends slowly, never, or only headers is left at the time limit', async () => {
  const slow: RequestListener[] = [
    (_, response) => {
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    },
    () => {},
    (_, response) => response.flushHeaders(),
  ]
  for (answer of slow) {
    const error = await failure(get(URL_OF_IT, {}, { totalMs: 150 }))
    expect([error.message, error.isTemporary]).toEqual(['It took too long to arrive', true])
  }
})

test('a connection that is not encrypted in time is given up', async () => {
  const silent = createPlainServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const error = await failure(get(URL_OF_IT, { port }, { connectMs: 100 }))
  expect([error.message, error.isTemporary]).toEqual(['It took too long to arrive', true])
  silent.close()
})

test('a connection that breaks is temporary, and so is a name that is not found', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('x')
    setImmediate(() => response.destroy())
  }
  expect((await failure(get())).isTemporary).toBe(true)
  const lookup = () => Promise.reject(new Error('ENOTFOUND'))
  expect((await failure(get(URL_OF_IT, { lookup }))).message).toBe('Its server could not be reached')
})

test('a fetch ends when it is aborted', async () => {
  const stop = new AbortController()
  answer = () => stop.abort()
  expect((await failure(get(URL_OF_IT, {}, {}, stop.signal))).isTemporary).toBe(true)
})
