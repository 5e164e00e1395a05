import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultBrand } from '#brand'
import { brandInput } from '../../../test/support/brand.ts'
import { expectRefusal, times } from '../../../test/support/expect.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { listed } from '../../../test/support/stored-files.ts'
import { BRAND_CHANGED } from './brand-contract.ts'

let shop: TestShop
let otto: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
})
afterAll(() => shop.close())

/** Addresses of the pictures, with the reason of a change. */
const [LOGO, HERO] = ['logo', 'hero'].map(name => `/api/operate/brand/${name}?reason=The%20meeting`) as [
  string,
  string,
]
const save = (changed: object = {}) => otto.put('/api/operate/brand', { ...brandInput, ...changed })
const page = async (path = '/') => String((await shop.visitor().get(path)).body)
/** The bytes of an answer that is no text. */
const bytesOf = async (path: string) => Buffer.from(await (await fetch(shop.address + path)).arrayBuffer())
const picture = (background: string, width = 400) =>
  sharp({ create: { width, height: 300, channels: 3, background } })
    .png()
    .toBuffer()

test('a new shop has the brand of brand.ts, and nobody of its team where it is edited', async () => {
  const { body } = await otto.get('/api/operate/brand')
  expect(body).toMatchObject({ name: defaultBrand.name, saved: false, team: [], logo: null, hero: null })
  expect(await page()).toContain('href="/assets/favicon.svg"')
  expectRefusal(await shop.visitor().get('/brand/x/colours.css'), 404, 'There is nothing at this address')
})

test('the name is everywhere at once: pages, feeds, search of the browser, manifest, letters, footer', async () => {
  expect(await page()).toContain(`<title>${defaultBrand.name} · `)
  expect((await save()).status).toBe(200)
  const front = await page()
  expect(front).toContain('<title>Harbour &amp; Sons · Made around one harbour</title>')
  expect(front).toContain('A co-operative of forty people.')
  expect(front).toContain('Olga Perlmutt')
  expect(front).not.toContain(defaultBrand.name)
  const manifest = (await shop.visitor().get('/manifest.webmanifest')).body
  expect(manifest).toMatchObject({ name: 'Harbour & Sons', short_name: 'Harbour', theme_color: '#eef4f7' })
  expect(await page('/opensearch.xml')).toContain('<ShortName>Harbour &amp; Sons</ShortName>')
  expect(await page('/feeds/listings.atom')).toContain('<name>Harbour &amp; Sons</name>')
  expect((await shop.visitor().get('/feeds/listings.json')).body.authors).toEqual([
    { name: 'Harbour & Sons' },
  ])
  expect(await page('/nothing/here')).toContain('Page not found · Harbour &amp; Sons')
  expect(await shop.rows(`select reason from operator_log where action = 'brand-changed'`)).toEqual([
    { reason: brandInput.reason },
  ])
})

test('colours have a stylesheet, and every icon is drawn anew', async () => {
  await save()
  const front = await page()
  const [, version] = /href="\/brand\/(\w+)\/colours\.css"/.exec(front) ?? []
  const styles = await shop.visitor().get(`/brand/${version}/colours.css`)
  expect(styles.headers['content-type']).toContain('text/css')
  expect(styles.headers['cache-control']).toContain('immutable')
  for (const colour of ['--paper:#eef4f7', '--accent:#12587c', '--accent:#9fd0ea'])
    expect(styles.body).toContain(colour)
  const { icons } = (await shop.visitor().get('/manifest.webmanifest')).body
  expect(icons).toHaveLength(3)
  for (const { src, sizes } of icons) {
    const { format, width, height } = await sharp(await bytesOf(src)).metadata()
    expect([format, `${width}x${height}`]).toEqual(['png', sizes])
  }
  expect((await shop.visitor().get('/favicon.ico')).headers.location).toBe(`/brand/${version}/icon-32.png`)
  expectRefusal(
    await shop.visitor().get(`/brand/${version}/other.png`),
    404,
    'There is nothing at this address',
  )
  const [, share] = /property="og:image" content="[^"]*(\/share\/[^"]+)"/.exec(front) ?? []
  const drawn = await sharp(await bytesOf(share ?? ''))
    .raw()
    .toBuffer()
  // The corner has the colour of the background.
  for (const [n, part] of [0xee, 0xf4, 0xf7].entries())
    expect(Math.abs((drawn[n] ?? 0) - part)).toBeLessThan(4)
})

test.each([
  [{ accent_light: '#8fc0d8' }, 'Links are hard to read in this colour: 1.8 to 1, and 4.5 is needed'],
  [{ paper_light: '#777777' }, 'Text is hard to read on this background: 1.5 to 1, and 4.5 is needed'],
  [{ accent_dark: '#12587c' }, 'Links are hard to read in this colour: 1.9 to 1, and 4.5 is needed'],
  [{ paper_light: 'red' }, 'Please give a colour such as #9a3f27'],
  [{ name: '' }, 'Name is required'],
  [{ reason: ' ' }, 'Please give a reason'],
  [{ short_name: 'x'.repeat(13) }, 'Short name cannot be more than 12 characters'],
  [{ hero_link: 'https://elsewhere.example' }, 'Please give an address of this shop, such as /products/7'],
  [{ hero_link: '//elsewhere.example' }, 'Please give an address of this shop, such as /products/7'],
  [{ hero_link: '/a\0' }, 'Please give an address of this shop, such as /products/7'],
  [{ hero_link: '/a\ud800' }, 'Please give an address of this shop, such as /products/7'],
  [
    { team: [{ name: 'Eve', role: '', profile: 'javascript:alert(1)' }] },
    'Please give an address that begins with https://',
  ],
])('%j is refused, and nothing changes', async (changed, message) => {
  await save()
  expectRefusal(await save({ tagline: 'Other', ...changed }), 400, message)
  expect((await otto.get('/api/operate/brand')).body.tagline).toBe(brandInput.tagline)
})

test('a logo replaces the mark, and goes with its files', async () => {
  await save()
  const before = await listed(shop.files)
  const first = (await otto.upload(LOGO, await picture('#118833'))).body
  expect(await page()).toContain(`src="${first.url}"`)
  const [, address] = /rel="apple-touch-icon" href="([^"]+)"/.exec(await page()) ?? []
  const icon = await sharp(await bytesOf(address ?? '')).metadata()
  expect([icon.width, icon.height]).toEqual([180, 180])
  const second = (await otto.upload(LOGO, await picture('#883311'))).body
  expect(second.url).not.toBe(first.url)
  expect((await shop.visitor().get(first.url)).status).toBe(404)
  expect(await page()).toContain(`src="${second.url}"`)
  for (let n = 0; n < 2; n++) expect((await otto.delete(LOGO)).status).toBe(200)
  expect(await page()).not.toContain(second.url)
  const reasons = (await shop.rows(`select reason from operator_log where reason like 'Logo%'`)).map(
    Object.values,
  )
  expect(reasons).toEqual(Array(3).fill(['Logo: The meeting']))
  expect(await listed(shop.files)).toEqual(before)
})

test('of several logos at once one stays, with no other files, and saving twice at once is saving once', async () => {
  await save()
  const before = await listed(shop.files)
  const file = await picture('#224466')
  const responses = await times(5, () => otto.upload(LOGO, file))
  expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(201))
  expect(await listed(shop.files)).toHaveLength(before.length + 1)
  const both = await times(2, () => save({ tagline: 'Both say this' }))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect((await otto.get('/api/operate/brand')).body).toMatchObject({
    tagline: 'Both say this',
    logo: { width: 400 },
  })
  await otto.delete(LOGO)
  expect(await listed(shop.files)).toEqual(before)
})

test('what another operator has saved meanwhile is not replaced unseen', async () => {
  await save()
  const { version } = (await otto.get('/api/operate/brand')).body
  const seen = { 'expected-version': String(version) }
  const based = (tagline: string) => otto.put('/api/operate/brand', { ...brandInput, tagline }, seen)
  const both = await Promise.all([based('First'), based('Second')])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = both.find(({ status }) => status === 409)
  expectRefusal(refused!, 409, BRAND_CHANGED)
  const saved = (await otto.get('/api/operate/brand')).body
  expect(saved).toEqual(both.find(({ status }) => status === 200)?.body)
  expect(saved.version).toBe(version + 1)
})

test('the picture of the front page has a caption and leads somewhere', async () => {
  await save({ hero_caption: 'The kiln house', hero_link: '/makers' })
  const { url } = (await otto.upload(HERO, await picture('#335577', 1200))).body
  const front = await page()
  expect(front).toContain(url)
  expect(front).toMatch(/<a[^>]*href="\/makers"[^>]*>.*The kiln house/)
  // A link has a name, also without a caption.
  await save({ hero_link: '/makers' })
  const [link = ''] = /<p class="hero-picture"><a[^>]*href="\/makers".*?<\/a>/.exec(await page()) ?? []
  expect(link).toContain(`alt="${brandInput.name.replace('&', '&amp;')}"`)
  await save({ hero_caption: 'The kiln house', hero_link: '/makers' })
  expectRefusal(await otto.delete('/api/operate/brand/hero'), 400, 'Please give a reason')
  expect((await otto.upload(HERO, Buffer.from('%PDF-1.4'))).status).toBe(400)
  expect((await otto.delete(HERO)).status).toBe(200)
  expect(await page()).not.toContain('The kiln house')
})

test('no maker takes the name of the shop, nor one that looks like it', async () => {
  await save()
  const ana = await shop.signUp('ana')
  const path = `/api/shops/${ana.user.username}`
  const name = (name: string) => ana.put(path, { words: '', place: '', name, shows_name: false })
  expectRefusal(await name('Harbour & Sons'), 409, 'Shop name cannot be, or look like, Harbour & Sons')
  expect((await name(`${defaultBrand.name} and Needle`)).status).toBe(200)
})

test('another process shows the new name too', async () => {
  const other = await openShop({ database: shop.database })
  try {
    expect(String((await other.visitor().get('/')).body)).toContain('Harbour &amp; Sons')
    await save({ name: 'Second Name' })
    await expect
      .poll(async () => String((await other.visitor().get('/')).body), { timeout: 5_000 })
      .toContain('Second Name')
  } finally {
    await other.close()
  }
})

test('a long name is cut between characters where browsers take sixteen', async () => {
  expect((await save({ name: 'The potters own🫖 shop' })).status).toBe(200)
  expect(await page('/opensearch.xml')).toContain('<ShortName>The potters own🫖</ShortName>')
})
