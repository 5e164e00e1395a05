import { expect, test } from 'vitest'
import { SUSPENDED } from '#accounts/suspension.ts'
import { assertAudit } from '../../../test/support/audit.ts'
import { expectRefusal } from '../../../test/support/expect.ts'
import { pngOf } from '../../../test/support/sample-pictures.ts'
import { pageOf, ShopNames, say } from '../../../test/support/shop-names.ts'

const own = new ShopNames()
const { named, expectTaken } = own

test('a shop has a name of its own, which stays until it is changed or taken away', async () => {
  const ana = await own.shop.signUp('ana')
  expect((await say(ana, { name: '  Copper & Reed ' })).body).toMatchObject({
    name: 'Copper & Reed',
    display_name: 'Copper & Reed',
  })
  expect((await say(ana, {})).body.name).toBe('Copper & Reed')
  expect((await say(ana, { name: '' })).body).toMatchObject({ name: '', display_name: ana.user.username })
})

test.each([
  ['in capitals', 'Larch Loom', 'LARCH LOOM'],
  ['without the space', 'Moss Mill', 'mossmill'],
  ['with another sign', 'Thorn & Teasel', 'Thorn + Teasel'],
  ['with accents', 'Cafe Clay', 'Café Cläy'],
  ['with a 0 for the o', 'Otter Wool', '0tter Wo0l'],
  ['with a 1 for the l, and an l for the i', 'Willow Inlay', 'Wi1low lnlay'],
  ['with an m for rn', 'Barn Owl', 'Bam Owl'],
  ['in full width', 'Sedge Works', 'Ｓｅｄｇｅ Ｗｏｒｋｓ'],
  ['in Cyrillic letters', 'COPAX', 'СОРАХ'],
  ['in small Cyrillic letters', 'Pacocha', 'расосhа'],
  ['in Greek letters', 'BHTA MOKA', 'ΒΗΤΑ ΜΟΚΑ'],
  ['with ss for ß', 'Strauß Leder', 'Strauss Leder'],
  ['with a joiner', 'Fern Flint', 'Fe\u200drn Flint'],
])('a name that looks like another shop’s is refused: %s', async (_, name, alike) => {
  await named(name)
  await expectTaken(alike)
})

test('somebody who is suspended changes nothing on their page', async () => {
  const ana = await named('The Still Shop')
  await own.shop.rows(`update users set suspended_at = now() where id = ${ana.user.id}`)
  expectRefusal(await say(ana, { name: 'Another Shop' }), 403, SUSPENDED)
  const policies = {
    ...{ contact_email: '', contact_phone: '', custom_orders: '', care: '' },
    returns: 'Within a month',
  }
  expectRefusal(await ana.put(`/api${pageOf(ana)}/page`, policies), 403, SUSPENDED)
  for (const picture of ['picture', 'banner']) {
    expectRefusal(await ana.upload(`/api${pageOf(ana)}/${picture}`, pngOf(640, 480)), 403, SUSPENDED)
    expectRefusal(await ana.delete(`/api${pageOf(ana)}/${picture}`), 403, SUSPENDED)
  }
  await own.shop.rows(`update users set suspended_at = null where id = ${ana.user.id}`)
  expect((await ana.get(`/api${pageOf(ana)}`)).body.name).toBe('The Still Shop')
  expect(JSON.stringify((await ana.get(`/api${pageOf(ana)}/page`)).body)).not.toContain('Within a month')
})

test.each([
  ['two letters', 'ab', 'Shop name must be between 3 and 40 characters'],
  ['41 letters', 'x'.repeat(41), 'Shop name cannot be more than 40 characters'],
  ['no letter', '1832', 'Shop name must have a letter'],
  ['unusual signs', 'a|b|c', "Shop name can have letters, digits, spaces and & ' . , + ! ( ) - only"],
  ['unseen letters', 'ab\u3164c', "Shop name can have letters, digits, spaces and & ' . , + ! ( ) - only"],
])('%s are no shop name', async (_, name, message) => {
  expectRefusal(await say(await own.shop.signUp('ana'), { name }), 400, message)
})

test.each(['Ёлка и шишка', '李小龍', 'Νίκος', 'שרה לוי', 'علی‌رضا', 'क्‍ष मिट्टी', 'สมชาย', '김서연'])(
  'a name in any script is accepted, and its address leads to the maker: %s',
  async name => {
    const maker = await named(name)
    const address = `/shops/${encodeURIComponent(name.replaceAll(' ', '-'))}`
    expect((await own.shop.visitor().get(`/api${address}`)).body.id).toBe(maker.user.id)
  },
)

test('the address of the longest shop name leads to the page of its maker', async () => {
  const maker = await named('Wren & Daughter Ceramics and Fine Thread')
  const { address } = (await maker.get(`/api${pageOf(maker)}`)).body
  const { status, headers } = await own.shop.visitor().get(address, { accept: 'text/html' })
  expect([status, headers.location]).toEqual([301, pageOf(maker)])
})

test('the address of a shop name redirects for good, that of a former name still leads there', async () => {
  const ana = await named('Nettle & Flax')
  const redirect = async (path: string) => {
    const { status, headers } = await own.shop.visitor().get(path)
    return [status, headers.location]
  }
  expect(await redirect('/shops/nettle-flax?sort=price_asc')).toEqual([301, `${pageOf(ana)}?sort=price_asc`])
  expect((await say(ana, { name: 'Flax & Nettle' })).status).toBe(200)
  expect(await redirect('/shops/flax-nettle')).toEqual([301, pageOf(ana)])
  expect(await redirect('/shops/nettle-flax')).toEqual([302, pageOf(ana)])
  await expectTaken('Nettle Flax')
  expect((await say(ana, { name: 'NETTLE FLAX' })).status).toBe(200)
})

test('at most 4 new names in 30 days; a former one can always be taken back', async () => {
  const ana = await named('Rook One')
  for (const name of ['Rook Two', 'Rook Three', 'Rook Four'])
    expect((await say(ana, { name })).status).toBe(200)
  expectRefusal(
    await say(ana, { name: 'Rook Five' }),
    409,
    'Shop name was changed 4 times in 30 days. Please wait before you choose another one',
  )
  expect((await say(ana, { name: 'Rook One' })).status).toBe(200)
  await own.shop.rows(
    `update shop_names set chosen_at = now() - interval '31 days' where user_id = ${ana.user.id}`,
  )
  expect((await say(ana, { name: 'Rook Five' })).status).toBe(200)
})

test('listings say who made them: the username, the shop, or first and last name, with the place', async () => {
  const ana = await own.shop.signUp('ana')
  const { id } = await own.shop.list(ana)
  const madeBy = async () => (await own.shop.visitor().get(`/api/products/${id}`)).body.maker
  expect(await madeBy()).toBe(`${ana.user.username}, ${ana.town}`)
  await say(ana, { name: 'Quince Quilts' })
  expect(await madeBy()).toBe(`Quince Quilts, ${ana.town}`)
  await say(ana, { shows_name: true })
  expect(await madeBy()).toBe(`${ana.user.first_name} ${ana.user.last_name}, ${ana.town}`)
  await ana.put(`/api${pageOf(ana)}`, { words: '', place: '', shows_name: false })
  expect(await madeBy()).toBe('Quince Quilts')
})

test('pieces are found by first and last name while their maker shows them, old and new ones', async () => {
  const ana = await own.shop.signUp('ana')
  const { username } = ana.user
  const rename = (last_name: string) =>
    ana.put('/api/account/names', { username, first_name: 'Annalotte', last_name })
  await rename('Zimmerling')
  const before = await own.shop.list(ana)
  const found = async (q: string) =>
    (await own.shop.visitor().get(`/api/products/?q=${q}`)).body.products.map(({ id }: { id: number }) => id)
  expect(await found('zimmerling')).toEqual([])
  await say(ana, { shows_name: true })
  const after = await own.shop.list(ana)
  expect(await found('annalotte+zimmerling')).toEqual([after.id, before.id])
  await rename('Zillerthal')
  expect([await found('zillerthal'), await found('zimmerling')]).toEqual([[after.id, before.id], []])
  await say(ana, { shows_name: false })
  expect(await found('zillerthal')).toEqual([])
  expect(await found(username)).toEqual([after.id, before.id])
  await assertAudit(own.shop.connection, () => own.shop.files)
})

test('pieces are found by the name of the shop, old and new ones', async () => {
  const ana = await own.shop.signUp('ana')
  const before = await own.shop.list(ana)
  await say(ana, { name: 'Vetchling Verge' })
  const after = await own.shop.list(ana)
  const found = async (q: string) =>
    (await own.shop.visitor().get(`/api/products/?q=${q}`)).body.products.map(({ id }: { id: number }) => id)
  expect(await found('vetchling')).toEqual([after.id, before.id])
  await say(ana, { name: '' })
  expect(await found('vetchling')).toEqual([])
})
