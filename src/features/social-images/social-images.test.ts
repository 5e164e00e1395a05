import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { defaultBrand } from '#brand'
import { expectRefusal, times } from '../../../test/support/expect.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { categoryShare, homeShare, listingShare, sellerShare, shareImagePath } from './contract.ts'
import { draw } from './draw.ts'
import { Typeface } from './typeface.ts'

const AT = 'https://thrum.example'
let shop: TestShop
let ana: Person
beforeAll(async () => {
  shop = await openShop({ settings: { PUBLIC_URL: AT } })
  ana = await shop.signUp('ana')
})
afterAll(() => shop.close())

const teal = { r: 0, g: 128, b: 128 }
const photo = () =>
  sharp({ create: { width: 900, height: 700, channels: 3, background: teal } })
    .png()
    .toBuffer()

/** The picture that a page names. */
async function namedBy(path: string) {
  const { body } = await shop.visitor().get(path)
  return /<meta property="og:image" content="https:\/\/thrum\.example(\/share\/[^"]+)">/.exec(body)?.[1] ?? ''
}
async function pictureAt(url: string): Promise<Buffer> {
  const response = await fetch(`${shop.address}${url}`)
  const { status, headers } = response
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'image/jpeg',
    'public, max-age=86400, s-maxage=60',
  ])
  const picture = Buffer.from(await response.arrayBuffer())
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  return picture
}
const card = (title: string) => ({ over: 'Home & Living', title, under: 'Made by ana', photo: null })
/** Share of dark pixels in a region, 0 to 1. */
async function inkIn(picture: Buffer, region: { left: number; top: number; width: number; height: number }) {
  const { data } = await sharp(picture)
    .extract(region)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return data.filter(value => value < 120).length / data.length
}
const TITLE = { left: 60, top: 330, width: 1080, height: 140 }

test('every public page names its picture, which exists', async () => {
  const bowl = await shop.list(ana, { name: 'Blue bowl' })
  const maker = (await ana.get(`/api/shops/${ana.user.username}`)).body
  for (const [path, share] of [
    ['/', homeShare(defaultBrand)],
    ['/categories/home-living', categoryShare('Home & Living')],
    [`/products/${bowl.id}`, listingShare(bowl)],
    [`/shops/${ana.user.username}`, sellerShare(maker)],
  ] as const) {
    expect(await namedBy(path)).toBe(shareImagePath(share, defaultBrand))
    await pictureAt(shareImagePath(share, defaultBrand))
  }
})

test('pictures name makers as cards and pages do', async () => {
  const bea = await shop.signUp('bea')
  const { username, first_name, last_name } = bea.user
  const cards = async () => [
    listingShare((await bea.get(`/api/products/${(await shop.list(bea)).id}`)).body).card.under,
    sellerShare((await bea.get(`/api/shops/${username}`)).body).card.title,
  ]
  const profile = { words: '', place: 'Mallow', name: '' }
  await bea.put(`/api/shops/${username}`, profile)
  expect(await cards()).toEqual([`Made by ${username}, Mallow`, username])
  await bea.put(`/api/shops/${username}`, { ...profile, shows_name: true })
  expect(await cards()).toEqual([`Made by ${first_name} ${last_name}, Mallow`, `${first_name} ${last_name}`])
  await bea.put(`/api/shops/${username}`, { ...profile, name: 'Olive Pots', shows_name: false })
  expect(await cards()).toEqual(['Made by Olive Pots, Mallow', 'Olive Pots'])
})

test('a listing’s picture shows its photo, or a drawing', async () => {
  const bowl = await shop.list(ana, { name: 'Teal bowl' })
  const before = await namedBy(`/products/${bowl.id}`)
  const drawn = await pictureAt(before)
  await ana.upload(`/api/products/${bowl.id}/images`, await photo())
  const after = await namedBy(`/products/${bowl.id}`)
  expect(after).not.toBe(before)
  const shown = await pictureAt(after)
  const colourAt = async (picture: Buffer) => [
    ...(await sharp(picture).extract({ left: 300, top: 300, width: 1, height: 1 }).raw().toBuffer()),
  ]
  const [r = 0, g = 0, b = 0] = await colourAt(shown)
  expect([r < 12, Math.abs(g - 128) < 12, Math.abs(b - 128) < 12]).toEqual([true, true, true])
  expect(await colourAt(drawn)).not.toEqual([r, g, b])
})

test('a new name changes the picture, a new price does not; old addresses redirect', async () => {
  const mug = await shop.list(ana, { name: 'Old mug', price: 10 })
  const first = await namedBy(`/products/${mug.id}`)
  await ana.put(`/api/products/${mug.id}`, { ...mug, price: 99 })
  expect(await namedBy(`/products/${mug.id}`)).toBe(first)
  await ana.put(`/api/products/${mug.id}`, { ...mug, name: 'New mug' })
  const second = await namedBy(`/products/${mug.id}`)
  expect(second).not.toBe(first)
  const { status, headers } = await shop.visitor().get(first)
  expect([status, headers.location, headers['cache-control']]).toEqual([302, second, 'no-cache'])
})

test('unknown pages are 404, and invented addresses are not drawn', async () => {
  const mug = await shop.list(ana)
  for (const path of [
    'listings/x-00.jpg',
    'listings/999999-00.jpg',
    'categories/x-00.jpg',
    'makers/nobody-00.jpg',
    'x/y-00.jpg',
    'listings/7.jpg',
    'listings/%2e%2e-00.jpg',
  ])
    expect([path, (await ana.get(`/share/${path}`)).status]).toEqual([path, 404])
  const made = vi.spyOn(shop.app.derivedFiles, 'get')
  expect((await ana.get(`/share/listings/${mug.id}-abc.jpg`)).status).toBe(302)
  expect(made).not.toHaveBeenCalled()
  await ana.delete(`/api/products/${mug.id}`)
  expectRefusal(
    await ana.get(shareImagePath(listingShare(mug), defaultBrand)),
    404,
    'There is no such listing',
  )
})

test('concurrent requests draw a picture once, and a HEAD has no body', async () => {
  const mug = await shop.list(ana, { name: 'Wanted mug' })
  const url = shareImagePath(listingShare(mug), defaultBrand)
  const all = await times(20, () => pictureAt(url))
  expect(new Set(all.map(picture => picture.toString('base64'))).size).toBe(1)
  const head = await ana.send({ method: 'HEAD', url })
  expect([head.status, head.body, head.headers['content-type']]).toEqual([200, '', 'image/jpeg'])
})

test.each([
  ['Crème brûlée dish, Łódź', 'Crème brûlée dish, Łódź'],
  ['e\u0301tude  🧶 blue', 'étude blue'],
  ['כוס 🧶 كأس', ''],
  ['Tiệm gốm', 'Tiệm gốm'],
  ['</svg><script>alert(1)</script>&amp;', '</svg><script>alert(1)</script>&amp;'],
])('the font can draw of %j: %j', async (name, legible) => {
  expect((await Typeface.load(600)).legible(name)).toBe(legible)
})

test.each([
  'Speckled mug',
  'X'.repeat(50),
  'Hammered sterling silver hoop earrings, extra wide',
  '🧶'.repeat(25),
  'كأس',
  '"><script>alert(1)</script>',
  '\u0007\ufffe\u202e',
])('the text of a listing called %j fits its picture', async title => {
  for (const bytes of [
    undefined,
    await sharp(await photo())
      .webp()
      .toBuffer(),
  ]) {
    const picture = await draw(card(title), defaultBrand, { photo: bytes })
    expect(
      await inkIn(picture, bytes ? { left: 680, top: 80, width: 460, height: 300 } : TITLE),
    ).toBeGreaterThan(0.005)
    for (const top of [280, 360, 440, 520])
      expect(await inkIn(picture, { left: 1150, top, width: 50, height: 70 })).toBe(0)
  }
})

test('the whole name is drawn: more letters, more ink', async () => {
  const shapes = await Promise.all(
    ['m', 'mm', 'mmm'].map(async name => inkIn(await draw(card(name), defaultBrand), TITLE)),
  )
  expect(shapes[1]! / shapes[0]!).toBeGreaterThan(1.7)
  expect(shapes[2]! / shapes[0]!).toBeGreaterThan(2.5)
})

test('no upload reaches the svg decoder', async () => {
  const { id } = await shop.list(ana)
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
  for (const bytes of [
    svg,
    `GIF89a${svg}`,
    `\x89PNG\r\n\x1a\n${svg}`,
    `\xff\xd8\xff${svg}`,
    `RIFF    WEBPVP8 ${svg}`,
    `\0\0\0\x14ftypavif\0\0\0\0avif${svg}`,
    `\0\0\0\x14ftypmif1\0\0\0\0avif${svg}`,
  ].map(text => Buffer.from(text, 'latin1')))
    expect((await ana.upload(`/api/products/${id}/images`, bytes)).status).toBe(400)
})
