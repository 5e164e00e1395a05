import { afterAll, beforeAll, expect, test } from 'vitest'
import { brandInput } from '../support/brand.ts'
import { describeBowl } from '../support/browser/listing-form.ts'
import { LOST, loseNext, openLossy } from '../support/browser/lost.ts'
import { eventually, picture } from '../support/browser/steps.ts'
import { letterPost } from '../support/fixtures.ts'
import { openOperator } from '../support/operators.ts'
import { reviewed } from '../support/reviewed.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const open = (path: string, person: Person) => openLossy(shop, path, person)

test('an order that was cancelled by a try whose response was lost counts as cancelled', async () => {
  const [seller, shopper] = [await shop.signUp('seller'), await shop.signUp('shopper')]
  const { id } = await shop.list(seller)
  await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  const order = (await shopper.post('/api/orders/checkout')).body.id
  const there = await open(`/orders/${order}/delete-order`, shopper)
  await loseNext(there.page, 'DELETE', `/api/orders/${order}/delete-order`)
  await there.press('button', 'Yes')
  await there.sees(LOST)
  await there.press('button', 'Yes')
  await there.sees('The order is cancelled. Its maker has been told')
})

test('a review that was stored by a try whose response was lost counts as stored', async () => {
  const { author, path } = await reviewed(shop)
  const there = await open(`${path}/create-review`, author)
  await there.choose('Stars', '4')
  await there.fill('What did you think of this product?', ' A fine mug. ')
  await loseNext(there.page, 'POST', `/api/reviews/${path.split('/').pop()}/create-review`)
  await there.press('button', 'Leave Review')
  await there.sees(LOST)
  await there.press('button', 'Leave Review')
  await there.arrives(path)
  await there.sees('A fine mug.')
})

test('a section that is there after a lost response is shown, and its name stays', async () => {
  const there = await open('/settings/sections', await shop.signUp('maker'))
  await there.page.route('**/api/sections/', route => route.abort())
  await there.fill('New section', 'Mugs')
  await there.press('button', 'Add the section')
  await there.sees(LOST)
  expect(await there.valueOf('New section')).toBe('Mugs')
  await there.page.unroute('**/api/sections/')
  await loseNext(there.page, 'POST', '/api/sections/')
  await there.press('button', 'Add the section')
  await eventually(() => there.one('button', 'Add the section').getAttribute('aria-disabled')).toBe(null)
  await there.press('button', 'Add the section')
  await there.sees('You have a section called Mugs already')
  await there.page.getByLabel('Rename or remove Mugs').waitFor()
})

test('settings that were saved by a try whose response was lost count as saved', async () => {
  const there = await open('/operate/settings', await openOperator(shop))
  await there.fill('Reason', 'The meeting decided')
  await there.page.getByLabel('Makers say it before they add listings', { exact: true }).check()
  await loseNext(there.page, 'PUT', '/api/operate/settings')
  await there.press('button', 'Save')
  await there.sees(LOST)
  await there.press('button', 'Save')
  await there.sees('Saved')
  const entries = await shop.rows("select reason from operator_log where action = 'settings-changed'")
  expect(entries).toEqual([{ reason: 'The meeting decided' }])
  await shop.rows('update site_settings set seller_details_required = false')
})

test('a piece that was added by a try whose response was lost is added once, and so is one that comes back', async () => {
  const [seller, shopper] = [await shop.signUp('seller'), await shop.signUp('shopper')]
  const { id, name } = await shop.list(seller, { stock: 9 })
  const quantities = async () =>
    (await shopper.get(`/api/cart_items/${shopper.user.id}`)).body.cart_items.map(
      ({ quantity }: { quantity: number }) => quantity,
    )
  const there = await open(`/products/${id}`, shopper)
  await loseNext(there.page, 'POST', `/api/cart_items/add/${id}`)
  await there.press('button', 'Add to cart')
  await there.sees(LOST)
  expect(await quantities()).toEqual([1])
  await there.press('button', 'Add to cart')
  await there.sees('Item added to cart!')
  expect(await quantities()).toEqual([1])
  await there.press('button', 'Add to cart')
  await eventually(quantities).toEqual([2])
  // What the cart shows is known: one more is one more.
  await loseNext(there.page, 'POST', `/api/cart_items/add/${id}`)
  await there.press('button', 'Add to cart')
  await there.sees(LOST)
  await there.openCart()
  await there.arrives('/cart')
  await there.page.goBack()
  await there.press('button', 'Add to cart')
  await eventually(quantities).toEqual([4])

  await there.go('/cart')
  await there.press('button', `Remove ${name}`)
  await loseNext(there.page, 'POST', `/api/cart_items/add/${id}`)
  await there.press('button', 'Undo')
  await there.sees(LOST)
  await there.press('button', 'Undo')
  await eventually(quantities).toEqual([4])
})

test('a draft that was published by a try whose response was lost is published once', async () => {
  const maker = await shop.signUp('maker')
  const there = await open('/products/new', maker)
  await describeBowl(there, 'Lost bowl')
  await there.pick('Photos and video', await picture())
  await there.press('button', 'Save as a draft')
  await there.heading('Finish your draft')
  await loseNext(there.page, 'POST', '/api/drafts/*/publish')
  await there.press('button', 'Publish')
  await there.sees(LOST)
  await there.press('button', 'Publish')
  await there.arrives('/your-listings')
  expect((await maker.get('/api/products/current')).body.products).toMatchObject([{ name: 'Lost bowl' }])
})

test('name and look, a page and a postage profile that were saved by a try whose response was lost count as saved', async () => {
  const otto = await openOperator(shop)
  const there = await open('/operate/brand', otto)
  await otto.put('/api/operate/brand', brandInput)
  await there.go('/operate/brand')
  await there.fill('Tagline', 'Baked in one kiln')
  await there.fill('Reason', 'The meeting')
  await loseNext(there.page, 'PUT', '/api/operate/brand')
  await there.press('button', 'Save')
  await there.sees(LOST)
  await there.press('button', 'Save')
  await there.sees('Saved. Everybody sees it now')

  await there.go('/operate/pages/about')
  await there.fill('Text', 'We knit.')
  await loseNext(there.page, 'POST', '/api/operate/pages/about/versions')
  await there.press('button', 'Save the draft')
  await there.sees(LOST)
  expect(await there.valueOf('Text')).toBe('We knit.')
  await there.press('button', 'Save the draft')
  await there.sees('The draft is saved')
  expect(await shop.rows("select text from page_versions where slug = 'about'")).toEqual([
    { text: 'We knit.' },
  ])

  const { id } = (await otto.post('/api/postage/', letterPost)).body
  await there.go(`/settings/postage?profile=${id}`)
  await there.fill('Name', 'By coach')
  await loseNext(there.page, 'PUT', `/api/postage/${id}`)
  await there.press('button', 'Save')
  await there.sees(LOST)
  await there.press('button', 'Save')
  await there.arrives('/settings/postage')
  await there.sees('Saved')
})

test('what was typed into a page stays while the connection is away, also for a preview', async () => {
  const there = await open('/operate/pages/about', await openOperator(shop))
  await there.fill('Text', 'We weave.')
  await there.page.route('**/api/**', route => route.abort())
  for (const button of ['Preview', 'Save the draft']) {
    await there.press('button', button)
    await there.sees(LOST)
    await eventually(() => there.one('button', button).getAttribute('aria-disabled')).toBe(null)
    expect(await there.valueOf('Text')).toBe('We weave.')
  }
})

test('own data that was asked for by a try whose response was lost is on its way', async () => {
  const there = await open('/settings/account', await shop.signUp('ana'))
  await loseNext(there.page, 'POST', '/api/account/data')
  await there.press('button', 'Prepare your data')
  await there.sees(LOST)
  await there.press('button', 'Prepare your data')
  await there.missing(LOST)
  await eventually(() => there.one('button', 'Prepare your data').count()).toBe(0)
})
