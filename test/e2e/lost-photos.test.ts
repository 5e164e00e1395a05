import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeBowl } from '../support/browser/listing-form.ts'
import { loseNext, openLossy } from '../support/browser/lost.ts'
import { picture } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const AGAIN = 'Try the upload again'

const open = (path: string, person: Person) => openLossy(shop, path, person)

test('a connection that is lost between two photos loses neither the form nor the first photo', async () => {
  const maker = await shop.signUp('maker')
  const there = await open('/products/new', maker)
  await describeBowl(there, 'Bowl with photos')
  await there.page
    .getByLabel('Photos and video', { exact: true })
    .setInputFiles([await picture('one.png'), await picture('two.png')])
  let uploads = 0
  await there.page.route('**/api/**', async route => {
    if (/\/images$/.test(route.request().url())) uploads++
    if (uploads > 1) await route.abort()
    else await route.fallback()
  })
  await there.press('button', 'Add a listing')
  await there.page.getByText('Your listing was added, but 1 of its 2 new photos was not').waitFor()
  expect(await there.valueOf('Name')).toBe('Bowl with photos')
  await there.page.unroute('**/api/**')
  await there.press('button', 'Add a listing')
  await there.arrives('/your-listings')
  const { products } = (await maker.get('/api/products/current')).body
  expect(products).toHaveLength(1)
  expect((await maker.get(`/api/products/${products[0].id}`)).body.images).toHaveLength(2)
})

test('a photo whose response was lost is stored once, with its alt text, by a listing and by a draft', async () => {
  const maker = await shop.signUp('maker')
  const there = await open('/products/new', maker)
  const shown = async (path: string) =>
    (await maker.get(path)).body.images.map(({ alt }: { alt: string }) => alt)
  const message = 'but its photo was not. Everything else is kept'
  await describeBowl(there, 'Bowl of a bad line')
  await there.pick('Photos and video', await picture())
  await there.fill('Alt text of photo 1', 'A bowl on a table')
  await loseNext(there.page, 'POST', '/images')
  await there.press('button', 'Add a listing')
  await there.arrives('/your-listings')
  const [{ id }] = (await maker.get('/api/products/current')).body.products
  expect(await shown(`/api/products/${id}`)).toEqual(['A bowl on a table'])

  await there.go(`/products/${id}/edit`)
  await there.pick('Photos and video', await picture('two.png'))
  await there.fill('Alt text of photo 2', 'The foot of the bowl')
  await loseNext(there.page, 'POST', '/images', 2)
  await there.press('button', 'Update listing')
  await there.page.getByText(`Your changes were saved, ${message}`).waitFor()
  await there.press('button', AGAIN)
  await there.arrives('/your-listings')
  expect(await shown(`/api/products/${id}`)).toEqual(['A bowl on a table', 'The foot of the bowl'])

  const draft = (await maker.post('/api/drafts/', { fields: { name: 'Bowl of a draft' } })).body.id
  await there.go(`/drafts/${draft}`)
  await there.pick('Photos and video', await picture())
  await loseNext(there.page, 'POST', '/images', 2)
  await there.press('button', 'Save the draft')
  await there.page.getByText(`Your draft was saved, ${message}`).waitFor()
  await there.press('button', 'Save the draft')
  await there.missing(`Your draft was saved, ${message}`)
  expect(await shown(`/api/drafts/${draft}`)).toEqual([''])
})
