import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aShopPage } from '../../../test/support/fixtures.ts'
import { expectText } from '../../../test/support/form-posts.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const shopOf = ({ user }: Person) => `/shops/${encodeURIComponent(user.username)}`
const pageOf = (person: Person) => `/api${shopOf(person)}/page`
const read = async (person: Person) => (await shop.visitor().get(pageOf(person))).body
const html = async (path: string) => shop.visitor().get(path, { accept: 'text/html' })
const wide = (colour = 'teal') =>
  sharp({ create: { width: 1600, height: 400, channels: 3, background: colour } })
    .jpeg()
    .toBuffer()

test('contact and policies are public, and what is empty is not shown', async () => {
  const ana = await shop.signUp('ana')
  expect(await read(ana)).toEqual({
    ...{ contact_email: '', contact_phone: '', returns: '', custom_orders: '', care: '' },
    ...{ banner: null, pieces: 0, ships_from: null, takes_messages: true },
  })
  const { status, body } = await ana.put(pageOf(ana), { ...aShopPage, returns: ` ${aShopPage.returns} ` })
  expect(status).toBe(200)
  expect(body).toMatchObject(aShopPage)
  expect(await read(ana)).toEqual(body)
  const page = await html(shopOf(ana))
  for (const said of ['Returns', 'Please write first.', 'By hand.', aShopPage.contact_email])
    expectText(page, said)
  expect(page.body).not.toContain('Custom orders')
  expect(page.body).toContain('href="mailto:post@pottery.example" rel="nofollow"')
  expect(page.body).toContain('href="tel:+351210000000" rel="nofollow"')
})

test.each([
  ['+49 (0)30 123456', '+4930123456'],
  ['030 12345/46', '03012345'],
  ['(0512) 34-56', '05123456'],
])('a phone number written as %s is dialled as %s', async (contact_phone, dialled) => {
  const ana = await shop.signUp('ana')
  await ana.put(pageOf(ana), { ...aShopPage, contact_phone })
  expect((await html(shopOf(ana))).body).toContain(`href="tel:${dialled}"`)
})

test('what a maker says is text, never html', async () => {
  const ana = await shop.signUp('ana')
  await ana.put(pageOf(ana), { ...aShopPage, returns: '<b>None</b>', contact_email: 'a"b?cc=x@y.example' })
  const { body } = await html(shopOf(ana))
  expect(body).toContain('&lt;b&gt;None&lt;/b&gt;')
  expect(body).not.toContain('<b>None')
  expect(body).toContain('href="mailto:a%22b%3Fcc%3Dx@y.example"')
})

test.each([
  [{ contact_email: 'nobody' }, 'Please provide a valid email'],
  [{ contact_email: 'a@b@c' }, 'Please provide a valid email'],
  [{ contact_phone: 'ring me' }, 'Phone can have digits, spaces and + ( ) - . / only'],
  [{ contact_phone: '+ -' }, 'Phone can have digits, spaces and + ( ) - . / only'],
  [{ contact_phone: '1'.repeat(41) }, 'Phone cannot be more than 40 characters'],
  [{ returns: 'x'.repeat(2001) }, 'Returns cannot be more than 2000 characters'],
  [{ custom_orders: 'x'.repeat(2001) }, 'Custom orders cannot be more than 2000 characters'],
  [{ care: 7 }, 'Care must be a text'],
  [{ banner_alt: 'x'.repeat(501) }, 'What the photo shows cannot be more than 500 characters'],
])('refused: %o', async (change, message) => {
  const ana = await shop.signUp('ana')
  const { status, body } = await ana.put(pageOf(ana), { ...aShopPage, ...change })
  expect([status, body.message]).toEqual([400, message])
  expect(await read(ana)).toMatchObject({ returns: '', contact_email: '' })
})

test('without a wide photo there is nothing to describe, and nothing is saved', async () => {
  const ana = await shop.signUp('ana')
  const { status, body } = await ana.put(pageOf(ana), { ...aShopPage, banner_alt: 'A bench' })
  const message = 'There is no wide photo to describe. Choose one, or leave this empty'
  expect([status, body.message]).toEqual([400, message])
  expect(await read(ana)).toMatchObject({ returns: '', contact_email: '' })
})

test('only the maker changes what their page says', async () => {
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  expect((await ben.put(pageOf(ana), aShopPage)).status).toBe(403)
  expect((await shop.visitor().put(pageOf(ana), aShopPage)).status).toBe(401)
  expect((await ben.upload(`/api${shopOf(ana)}/banner`, await wide())).status).toBe(403)
  expect((await ben.delete(`/api${shopOf(ana)}/banner`)).status).toBe(403)
  expect((await ana.get('/api/shops/nobody-here/page')).status).toBe(404)
})

test('contact is on the maker’s page alone: in no listing, list, directory or feed', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana)
  await ana.put(pageOf(ana), aShopPage)
  for (const path of [
    ...[`/products/${id}`, '/', `/search?q=mug`, '/makers', `/api${shopOf(ana)}`],
    ...['/feeds/listings.atom', '/feeds/listings.json', '/api/makers'],
  ]) {
    const { status, body } = await html(path)
    expect([path, status]).toEqual([path, 200])
    expect(JSON.stringify(body)).not.toMatch(/pottery\.example|351 21|351210/)
  }
})

test('a listing leads to what its maker says of returns, or else to the maker', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana)
  const link = `href="${shopOf(ana)}#returns"`
  expectText(await html(`/products/${id}`), 'Returns: ask the maker')
  expect((await html(`/products/${id}`)).body).not.toContain(link)
  await ana.put(pageOf(ana), { ...aShopPage, returns: '', takes_messages: false })
  expectText(await html(`/products/${id}`), 'Returns: the maker does not say')
  await ana.put(pageOf(ana), aShopPage)
  expect((await html(`/products/${id}`)).body).toContain(link)
  expect((await html(shopOf(ana))).body).toContain('id="returns"')
})

test('the page says how many pieces there are, and where they are sent from', async () => {
  const ana = await shop.signUp('ana')
  await shop.list(ana)
  expect(await read(ana)).toMatchObject({ pieces: 1, ships_from: null })
  expectText(await html(shopOf(ana)), '1 piece')
  await shop.list(ana)
  const [profile] = (await ana.get('/api/postage/')).body.profiles
  const { id, name, rates, pickup_places } = profile
  await ana.put(`/api/postage/${id}`, { name, rates, pickup_places, from_country: 'PT' })
  expect(await read(ana)).toMatchObject({ pieces: 2, ships_from: 'PT' })
  expectText(await html(shopOf(ana)), '2 pieces · ships from Portugal')
})

test('a wide photo is shown above the page with what it shows, and is replaced and removed with its files', async () => {
  const ana = await shop.signUp('ana')
  const path = `/api${shopOf(ana)}/banner`
  const { status, body } = await ana.upload(path, await wide())
  expect([status, body.width / body.height]).toEqual([201, 4])
  expect((await html(shopOf(ana))).body).toMatch(new RegExp(`class="maker-banner".*${body.url}.*alt=""`))
  await ana.put(pageOf(ana), { ...aShopPage, banner_alt: 'A bench' })
  await ana.put(pageOf(ana), aShopPage)
  expect((await read(ana)).banner).toEqual({ ...body, alt: 'A bench' })
  expect((await html(shopOf(ana))).body).toContain('alt="A bench"')

  const second = (await ana.upload(path, await wide('olive'))).body
  expect((await read(ana)).banner).toEqual(second)
  expect((await shop.visitor().get(body.url)).status).toBe(404)
  // The portrait is another picture.
  const portrait = (await ana.upload(`/api${shopOf(ana)}/picture`, await wide())).body
  for (let round = 0; round < 2; round++)
    expect(await ana.delete(path)).toMatchObject({ status: 200, body: { message: 'Picture removed' } })
  expect((await read(ana)).banner).toBeNull()
  expect((await shop.visitor().get(second.url)).status).toBe(404)
  expect((await shop.visitor().get(portrait.url)).status).toBe(200)
  expect((await html(shopOf(ana))).body).not.toContain('maker-banner')
})

test('long words can be opened on phones, short ones have no button', async () => {
  const ana = await shop.signUp('ana')
  const say = (words: string) => ana.put(`/api${shopOf(ana)}`, { words, place: '' })
  await say('I throw mugs.')
  expect((await html(shopOf(ana))).body).not.toContain('whole-words')
  for (const words of ['I throw mugs. '.repeat(20).trim(), 'I\nthrow\nmugs\nall\nday.']) {
    await say(words)
    const { body } = await html(shopOf(ana))
    expect(body).toContain(`${words}</p><details class="whole-words">`)
  }
})
