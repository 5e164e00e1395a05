import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected } from '../support/call-statuses.ts'
import { expectRefusal } from '../support/expect.ts'
import { everyCall, isRead, openWorld, type World } from '../support/fixtures.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
let world: World
beforeAll(async () => {
  shop = await openShop()
  world = await openWorld(shop)
})
afterAll(() => shop.close())

/** Path with an id in it → its methods. */
const paths = new Map<string, string[]>()
for (const key of Object.keys(everyCall)) {
  const [method = '', path = ''] = key.replace(/:\w+/g, '7').split(' ')
  paths.set(path, [
    ...(paths.get(path) ?? []),
    method,
    ...(method === 'GET' && !path.endsWith('/logout') ? ['HEAD'] : []),
  ])
}
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const
for (const path of [
  '/images/0123/320.webp',
  '/share/listings/7-x1.jpg',
  '/feeds/listings.atom',
  '/feeds/listings.json',
  '/sitemap.xml',
  '/sitemaps/pages.xml',
  '/sitemaps/listings-0.xml',
  '/robots.txt',
  '/opensearch.xml',
])
  paths.set(path, ['GET', 'HEAD'])
paths.set('/api/account/data/file', ['GET'])
type Method = (typeof methods)[number]

test.each([...paths])(
  '%s takes %j alone; every other method answers 405 and names them',
  async (path, allowed) => {
    for (const method of methods.filter(method => !allowed.includes(method))) {
      for (const url of [path, path.replace(/\/$/, ''), `${path}/`.replace('//', '/'), `${path}?x=1`]) {
        const response = await world.owner.send({ method: method as 'GET', url })
        expect(response.status).toBe(405)
        expect(String(response.headers.allow).split(', ').sort()).toEqual([...allowed].sort())
        if (method === 'HEAD') expect(response.body).toBe('')
        else expectRefusal(response, 405, `${method} is not allowed here; allowed: ${response.headers.allow}`)
      }
    }
  },
)

test('uncommon methods are refused like others', async () => {
  for (const method of ['PROPFIND', 'LOCK', 'M-SEARCH', 'TRACE', 'OPTIONS']) {
    const send = (url: string) => world.owner.send({ method: method as 'GET', url })
    const response = await send(`/api/products/${world.listing}?x=1`)
    expectRefusal(response, 405, `${method} is not allowed here; allowed: GET, HEAD, PUT, DELETE`)
    expect(response.headers.allow).toBe('GET, HEAD, PUT, DELETE')
    expect((await send('/robots.txt')).headers.allow).toBe('GET, HEAD')
    expectRefusal(await send('/api/nothing'), 404, 'There is nothing at this address')
  }
})

test('405 comes before the body is read', async () => {
  const headers = { 'content-type': 'application/json' }
  const response = await world.owner.send({ method: 'PUT', url: '/api/auth/login', headers, payload: '{' })
  expectRefusal(response, 405, 'PUT is not allowed here; allowed: POST')
})

test('a wrong method changes nothing', async () => {
  const before = await world.owner.get(`/api/products/${world.listing}`)
  for (const method of ['POST', 'PATCH'] as Method[]) {
    await world.owner.send({ method: method as 'POST', url: `/api/products/${world.listing}` })
  }
  expect((await world.owner.get(`/api/products/${world.listing}`)).body).toEqual(before.body)
})

/** The address with the other form of its path. */
function withOtherSlash(url: string): string {
  const [path = '', query] = url.split('?')
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  return query === undefined ? other : `${other}?${query}`
}

test.each(Object.keys(everyCall))('%s works with and without its trailing slash', async key => {
  // test/integration/permissions.test.ts sends each call as it is documented, and expects the same status.
  const own = isRead(key) ? world : await openWorld(shop)
  const send = own.owner.send.bind(own.owner)
  own.owner.send = request => send({ ...request, url: withOtherSlash(request.url) })
  try {
    expect((await everyCall[key]!(own.owner, own)).status).toBe(expected[key]?.[1])
  } finally {
    own.owner.send = send
  }
})

test('a HEAD request is answered like GET, without the body', async () => {
  for (const url of [
    '/api/products/',
    `/api/products/${world.listing}`,
    '/api/auth/',
    '/api/orders/',
    '/api/products/7e7',
  ]) {
    const [head, get] = [await world.owner.send({ method: 'HEAD', url }), await world.owner.get(url)]
    expect([head.status, head.body]).toEqual([get.status, ''])
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
  }
})

test('unknown addresses answer 404 for every method', async () => {
  for (const url of [
    '/api',
    '/api/',
    '/api/nothing',
    '/api/products/7/images/8',
    '/api/auth/login/x',
    '/api//products',
  ]) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const) {
      const response = await world.owner.send({ method, url })
      // Pages answer for /api itself.
      if (/^.api.?$/.test(url)) expect(response.status).toBe(404)
      else expectRefusal(response, 404, 'There is nothing at this address')
    }
  }
})

test.each([
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x1',
  'abc',
  '01',
  '9007199254740992',
  '9223372036854775808',
  '%00',
  '1%20',
  '٣',
])('an id cannot be %s: 404', async id => {
  const calls = Object.keys(everyCall).filter(key => /:/.test(key) && !/:(any|username)/.test(key))
  for (const key of calls.filter(key => !key.includes('images'))) {
    const [method = '', path = ''] = key.split(' ')
    const url = path.replace(/:\w+/, encodeURI(id).replaceAll('%25', '%'))
    const payload = method === 'GET' || method === 'DELETE' ? {} : { payload: {} }
    const response = await world.owner.send({ method: method as 'GET', url, ...payload })
    expectRefusal(response, 404, 'There is nothing at this address')
  }
})
