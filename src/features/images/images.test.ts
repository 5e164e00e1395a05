import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { countStatuses, expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
let ana: Person
let photo: Buffer
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  photo = await picture(400, 300).png().toBuffer()
})
afterAll(() => shop.close())

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
const WRONG_TYPE = 'File does not have an approved extension: pdf, jpg, jpeg, png, gif'
const DAMAGED_FORM = 'The form is damaged or incomplete; please send it again'
const pathFor = async () => `/api/products/${(await shop.list(ana)).id}/images`

/** A multipart body, written by hand. */
const send = (url: string, body: string, type = 'multipart/form-data; boundary=x') =>
  ana.send({ method: 'POST', url, headers: { 'content-type': type }, payload: body })
const part = (disposition: string, content = 'x') =>
  `--x\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`

test('an upload returns its url, and the listing shows it', async () => {
  const url = await pathFor()
  const { status, body } = await ana.upload(url, photo)
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(Number),
    url: expect.stringMatching(/^\/images\/[0-9a-f]{32}\/400\.webp$/),
    srcset: expect.stringMatching(
      /^\/images\/[0-9a-f]{32}\/320\.webp 320w, \/images\/[0-9a-f]{32}\/400\.webp 400w$/,
    ),
    width: 400,
    height: 300,
    colour: '#008080',
    document: null,
    alt: '',
  })
  expect((await shop.visitor().get(url.replace('/images', ''))).body.images).toEqual([body])
  expect((await ana.get('/api/products/current?limit=1')).body.products[0].images).toEqual([body])
})

test('photos stay in order, the cart shows the first', async () => {
  const url = await pathFor()
  const first = (await ana.upload(url, photo)).body
  const second = (await ana.upload(url, await picture(50, 50).jpeg().toBuffer())).body
  const { body } = await ana.get(url.replace('/images', ''))
  expect(body.images).toEqual([first, second])
  const line = await ana.post(`/api/cart_items/add/${body.id}`, { quantity: 1 })
  expect(line.body.product).toMatchObject({ image_url: first.url, image_srcset: first.srcset })
})

test('pictures are public, re-encoded, and cached for a day', async () => {
  const { body } = await ana.upload(await pathFor(), photo)
  for (const address of body.srcset.split(', ').map((entry: string) => entry.split(' ')[0])) {
    const { status, headers } = await shop.visitor().get(address)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=86400, s-maxage=60',
      'x-content-type-options': 'nosniff',
      // Readers of feeds on other sites show them.
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(Number(headers['content-length'])).toBeGreaterThan(0)
    const again = await shop.visitor().get(address, { 'if-none-match': String(headers.etag) })
    expect([again.status, again.body]).toEqual([304, ''])
  }
})

test.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)(
  'a %s is accepted, with any name and media type',
  async format => {
    const bytes = await picture(40, 30).toFormat(format).toBuffer()
    const url = await pathFor()
    expect((await ana.upload(url, bytes, `photo.${format}`)).status).toBe(201)
    expect((await ana.upload(url, bytes, '../../etc/passwd.html', 'image', 'text/html')).status).toBe(201)
  },
)

test('a pdf is served as a download, never opened on the shop’s origin', async () => {
  const pdf = Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/MediaBox[0 0 30 40]/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
  )
  const { status, body } = await ana.upload(await pathFor(), pdf, 'pattern.pdf', 'image', 'application/pdf')
  expect(status).toBe(201)
  expect(body.document).toMatch(/^\/images\/[0-9a-f]{32}\/document\.pdf$/)
  expect((await shop.visitor().get(body.document)).headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="document.pdf"',
    'content-security-policy': "sandbox; default-src 'none'",
  })
})

test('the type is detected by content, not by name', async () => {
  const url = await pathFor()
  for (const text of [
    '<script>alert(1)</script>',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'MZ',
    'RIFF    WEBP',
  ]) {
    expectRefusal(await ana.upload(url, Buffer.from(text), 'photo.png'), 400, WRONG_TYPE)
  }
  expect((await ana.get(url.replace('/images', ''))).body.images).toEqual([])
})

test('no file, an empty file, or a file under another name is refused', async () => {
  const url = await pathFor()
  const required = 'Photo or video is required'
  expectRefusal(await ana.upload(url, photo, 'photo.png', 'photo'), 400, required)
  expectRefusal(await send(url, '--x--\r\n'), 400, required)
  expectRefusal(await send(url, `${part('name="image"')}--x--\r\n`), 400, required)
  expectRefusal(await ana.upload(url, Buffer.alloc(0)), 400, 'The file is empty; please choose another one')
})

test('a file of 10 MB is accepted, one byte more is too large', async () => {
  const url = await pathFor()
  const size = 10 * 1024 * 1024
  expectRefusal(await ana.upload(url, Buffer.alloc(size)), 400, WRONG_TYPE)
  expectRefusal(await ana.upload(url, Buffer.alloc(size + 1)), 413, 'Files can be at most 10 MB')
})

test('other content types answer 415', async () => {
  const url = await pathFor()
  const message = 'Send the file as multipart/form-data in the field image'
  expectRefusal(await ana.post(url, { image: 'x' }), 415, message)
  expectRefusal(await ana.send({ method: 'POST', url }), 415, message)
  for (const type of ['image/png', 'text/plain', 'application/x-www-form-urlencoded']) {
    expect((await send(url, 'x', type)).status).toBe(415)
  }
})

test('a damaged or truncated form is a 400', async () => {
  const url = await pathFor()
  const whole = `${part('name="image"; filename="a.png"', 'abcdef')}--x--\r\n`
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=y',
  ]) {
    expectRefusal(await send(url, whole, type), 400, DAMAGED_FORM)
  }
  for (const length of [1, 10, 50, whole.length - 12]) {
    expectRefusal(await send(url, whole.slice(0, length)), 400, DAMAGED_FORM)
  }
})

test('a form with unknown names or too many parts is refused', async () => {
  const url = await pathFor()
  for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
    expect((await send(url, `${part(`name="${name}"; filename="a.png"`)}--x--\r\n`)).status).toBe(400)
  }
  const { status, body } = await send(url, `${part('name="a"').repeat(20)}--x--\r\n`)
  expect({ status, message: body.message }).toEqual({ status: 413, message: 'The form has too many fields' })
})

test('a listing has at most 12 photos, also with concurrent uploads', async () => {
  const url = await pathFor()
  const small = await picture(8, 8).png().toBuffer()
  for (let n = 0; n < 10; n++) await ana.upload(url, small)
  expect(countStatuses(await times(6, () => ana.upload(url, small)))).toEqual({ 201: 2, 409: 4 })
  expectRefusal(await ana.upload(url, small), 409, 'A listing can have at most 12 photos')
  expect((await ana.get(url.replace('/images', ''))).body.images).toHaveLength(12)
})

test('unknown image addresses answer 404 and reveal nothing of the disk', async () => {
  const { url } = (await ana.upload(await pathFor(), photo)).body
  const [, , folder] = url.split('/')
  for (const file of [
    '401.webp',
    '400.png',
    '400',
    '.webp',
    '400.webp%00',
    '%2e%2e%2f400.webp',
    '400.constructor',
  ]) {
    expectRefusal(await ana.get(`/images/${folder}/${file}`), 404, 'There is no such picture')
  }
  for (const name of ['..', '%2e%2e', 'x', `${folder}%2f..`, '0'.repeat(32), '__proto__', '%00']) {
    expect((await ana.get(`/images/${name}/400.webp`)).status).toBe(404)
  }
})

test('an unknown name is queried in the database alone, a known one nowhere', async () => {
  const { url } = (await ana.upload(await pathFor(), photo)).body
  const [opened, queried] = [vi.spyOn(shop.files, 'open'), vi.spyOn(shop.db, 'getExecutor')]
  const folders = Array.from({ length: 20 }, (_, n) => n.toString(16).padStart(32, '0'))
  const responses = await times(20, n => shop.visitor().get(`/images/${folders[n]}/400.webp`))
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(404))
  expect(opened).not.toHaveBeenCalled()
  expect((await shop.visitor().get(url)).status).toBe(200)
  queried.mockClear()
  expect((await shop.visitor().get(url)).status).toBe(200)
  expect(queried).not.toHaveBeenCalled()
  for (const spy of [opened, queried]) spy.mockRestore()
})

test('pictures are served while the database is down', async () => {
  const { url } = (await ana.upload(await pathFor(), photo)).body
  const executor = vi.spyOn(shop.db, 'getExecutor').mockImplementation(() => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' })
  })
  expect((await shop.visitor().get(url)).status).toBe(200)
  executor.mockRestore()
})
