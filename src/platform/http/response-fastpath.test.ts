import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { overNetwork } from '../../../test/support/network.ts'
import type { Wire } from '../../../test/support/person.ts'
import { aMug, openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

const METRICS_TOKEN = 'a-token-for-tests-4711'

let shop: TestShop
let ana: Person
let wire: Wire
let mug: number
let address: string
beforeAll(async () => {
  shop = await openShop({ settings: { METRICS_TOKEN } })
  ana = await shop.signUp('ana')
  wire = overNetwork(Number(new URL(shop.address).port))
})
afterAll(() => shop.close())
beforeEach(async () => {
  mug = (await shop.list(ana, { name: 'Speckled mug', price: 18, stock: 9 })).id
  address = `/products/${mug}/speckled-mug`
  await untilNotified()
})
/** Waits until all notifications have arrived, so that none clears the cache later. */
const untilNotified = () => shop.app.cache.sync()

/** A visitor's request over the network. `ready`: whether it was answered before the framework. */
async function ask(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const peek = vi.spyOn(shop.app.cache, 'peek')
  const { status, headers: received, text } = await wire({ method, url, headers })
  const ready = peek.mock.results.some(({ value }) => value !== undefined)
  peek.mockRestore()
  const { date, 'x-request-id': id, ...rest } = received
  return { status, headers: rest, text, ready, id }
}
type Answered = Awaited<ReturnType<typeof ask>>
const withoutId = ({ status, headers, text }: Answered) => ({ status, headers, text })

test('a repeated request gets the same response and headers, with its own request id', async () => {
  const urls = [
    '/api/products/?limit=24',
    `/api/products/${mug}`,
    `/api/reviews/${mug}/reviews`,
    '/',
    address,
    '/feeds/listings.atom',
    '/robots.txt',
  ]
  for (const url of urls)
    for (const encoding of ['', 'gzip', 'gzip, deflate, br']) {
      const headers = { 'accept-encoding': encoding }
      const [first, second] = [await ask(url, headers), await ask(url, headers)]
      expect([url, encoding, first.status, first.ready, second.ready]).toEqual([
        url,
        encoding,
        200,
        false,
        true,
      ])
      expect(withoutId(second)).toEqual(withoutId(first))
      expect(second.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}$/)
      expect(second.id).not.toBe(first.id)
    }
})

test('a change is in the next response', async () => {
  for (const [url, price] of [
    [`/api/products/${mug}`, 19.5],
    [address, 20.5],
  ] as const) {
    await untilNotified()
    await ask(url)
    expect((await ask(url)).ready).toBe(true)
    await ana.put(`/api/products/${mug}`, { ...aMug, name: 'Speckled mug', price })
    const { text, ready } = await ask(url)
    expect([url, text.includes(String(price)), ready]).toEqual([url, true, false])
  }
})

test('a response that began before a change is not reused', async () => {
  const url = `/api/products/${mug}`
  const parse = vi.spyOn(shop.app, 'readPublic').mockImplementationOnce(async read => {
    const response = await read(shop.db)
    shop.app.cache.invalidateAll()
    return response
  })
  await ask(url)
  expect(parse).toHaveBeenCalledOnce()
  parse.mockRestore()
  expect((await ask(url)).ready).toBe(false)
  expect((await ask(url)).ready).toBe(true)
})

test('requests with a session, an ETag or HEAD take the normal path', async () => {
  const { headers } = await ask(address)
  expect((await ask(address)).ready).toBe(true)
  const own = await ask(address, { cookie: ana.cookie })
  expect([own.ready, own.text.includes(ana.user.email)]).toEqual([false, true])
  expect((await ask(address)).text).not.toContain(ana.user.email)
  const tagged = await ask(address, { 'if-none-match': String(headers.etag) })
  expect([tagged.ready, tagged.status, tagged.text]).toEqual([false, 304, ''])
  const head = await ask(address, {}, 'HEAD')
  expect([head.ready, head.status, head.text]).toEqual([false, 200, ''])
})

test('no page with another host’s address is reused', async () => {
  for (const [host, known] of [
    ['one.example', false],
    ['two.example', false],
    ['one.example', true],
  ] as const) {
    const { text, ready } = await ask(address, { host })
    expect([text.includes(`http://${host}/`), ready]).toEqual([true, known])
  }
})

test('private, failed and varying responses are not reused', async () => {
  for (const url of ['/api/auth/', '/nothing', '/api/products/999999', '/healthz', '/login?next=x&y'])
    for (const turn of [1, 2])
      expect([url, turn, (await ask(url)).ready]).toEqual([url, turn, url.startsWith('/login') && turn > 1])
})

test('reused responses are counted like others', async () => {
  const counted = async () => {
    const { body } = await shop.visitor().get('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` })
    const sample =
      /^shop_request_duration_seconds_count\{method="GET",route="\/api\/products\/:id",status="200"\} (\d+)$/m
    return Number(sample.exec(body)?.[1] ?? 0)
  }
  const before = await counted()
  for (const ready of [false, true, true]) expect((await ask(`/api/products/${mug}`)).ready).toBe(ready)
  expect(await counted()).toBe(before + 3)
})
