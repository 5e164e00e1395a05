import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** A listing with one review for each number of stars, oldest first. */
async function reviewed(...stars: number[]) {
  const seller = await shop.signUp('seller')
  const mug = await shop.list(seller, { stock: 50 })
  const authors: Person[] = []
  for (const [n, given] of stars.entries()) {
    const author = await shop.signUp('author')
    authors.push(author)
    const review = { review: `Review ${n + 1}`, stars: given }
    await author.post(`/api/reviews/${mug.id}/create-review`, review)
  }
  return { seller, mug, authors, path: `/products/${mug.id}` }
}

const texts = (there: Visit) => there.page.locator('.review > .review-text').allTextContents()
const label = 'Your reply, for everybody to read'

inEachMode(mode => {
  test('the seller replies to a review, changes the reply and deletes it', async () => {
    const { seller, path, authors } = await reviewed(2, 5)
    const [author] = authors.map(({ name }) => name)
    const there = await visit(shop, mode, { signedInAs: seller, expects: [/status of 400/] })
    await there.go(path)
    await there.press('button', `Reply to ${author}`)
    await there.dialog(`Reply to ${author}`)
    await there.press('button', 'Save reply')
    await there.describes(label, 'Replies must be between 1 and 300 characters')
    await there.fill(label, 'A new one is on its way.')
    await there.press('button', 'Save reply')
    await there.sees('A new one is on its way.')
    await there.press('button', `Edit reply to ${author}`)
    await there.dialog(`Reply to ${author}`)
    expect(await there.valueOf(label)).toBe('A new one is on its way.')
    await there.fill(label, 'It is there by now.')
    await there.press('button', 'Save reply')
    await there.sees('It is there by now.')
    const guest = await visit(shop, mode)
    await guest.go(path)
    const answered = guest.page.locator('.review', { hasText: 'It is there by now.' })
    await answered.getByText(author ?? '', { exact: true }).waitFor()
    expect(await guest.page.getByRole('button', { name: /reply/i }).count()).toBe(0)
    await there.press('button', `Edit reply to ${author}`)
    await there.press('button', 'Delete reply')
    await there.missing('It is there by now.')
  })

  test('reviews are sorted and filtered by address', async () => {
    const { path } = await reviewed(4, 2, 5, 2)
    const there = await visit(shop, mode)
    await there.go(path)
    expect(await texts(there)).toEqual(['Review 4', 'Review 3', 'Review 2', 'Review 1'])
    await there.press('link', 'Highest')
    await eventually(() => texts(there)).toEqual(['Review 3', 'Review 1', 'Review 4', 'Review 2'])
    await there.press('link', 'Lowest')
    await eventually(() => texts(there)).toEqual(['Review 4', 'Review 2', 'Review 1', 'Review 3'])
    await there.pressThis(there.page.locator('a.histogram-row', { hasText: '2 stars' }))
    await eventually(() => texts(there)).toEqual(['Review 4', 'Review 2'])
    await there.sees('Only reviews with 2 stars')
    expect(there.path).toBe(`${path}?sort=lowest&stars=2`)
    const other = await visit(shop, mode)
    await other.go(there.path)
    expect(await texts(other)).toEqual(['Review 4', 'Review 2'])
    await there.press('link', 'All reviews')
    await eventually(async () => (await texts(there)).length).toBe(4)
  })

  test('a reply leads back to the same part of the reviews', async () => {
    const { seller, authors, path } = await reviewed(5, 1, 3)
    const there = await visit(shop, mode, { signedInAs: seller })
    await there.go(`${path}?sort=lowest`)
    await there.press('button', `Reply to ${authors[1]?.name}`)
    await there.fill(label, 'Thank you.')
    await there.press('button', 'Save reply')
    await there.sees('Thank you.')
    expect(there.path).toBe(`${path}?sort=lowest`)
    await there.press('button', `Edit reply to ${authors[1]?.name}`)
    await there.dialog(`Reply to ${authors[1]?.name}`)
    await there.press('link', 'Back to the product')
    await eventually(() => there.path).toBe(`${path}?sort=lowest`)
  })

  test('further reviews are reached by a link, and one’s own is on every page', async () => {
    const { seller, mug, path } = await reviewed(...Array(24).fill(4))
    const me = await shop.signUp('me')
    await shop.db
      .insertInto('reviews')
      .values({
        product_id: mug.id,
        user_id: me.user.id,
        review: 'Mine',
        stars: 1,
        created_at: new Date('2020-01-01'),
      })
      .execute()
    await seller.put(`/api/products/${mug.id}`, { ...mug, stock: 60 })
    const there = await visit(shop, mode, { signedInAs: me })
    await there.go(path)
    const first = await texts(there)
    expect(first).toHaveLength(25)
    expect(first[0]).toBe('Mine')
    await there.one('button', 'Edit Review').waitFor()
    await there.press('link', 'Next 24')
    await eventually(() => texts(there)).toEqual(['Mine'])
    expect(await there.one('link', 'Next 24').count()).toBe(0)
    await there.page.locator('.reviews').getByText('Page 2', { exact: true }).waitFor()
    await there.press('link', 'Previous')
    await eventually(() => texts(there)).toEqual(first)
  })
})

test('a verified purchase is marked, and a reviewer who sells links to their page', async () => {
  const { mug, path } = await reviewed(5)
  const buyer = await shop.signUp('buyer')
  await shop.list(buyer)
  await buyer.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
  await buyer.post('/api/orders/checkout')
  await buyer.post(`/api/reviews/${mug.id}/create-review`, { review: 'Bought it.', stars: 4 })
  const there = await visit(shop, 'without scripts')
  await there.go(path)
  const [mine, other] = [there.page.locator('.review').first(), there.page.locator('.review').last()]
  await mine.getByText('Verified purchase').waitFor()
  expect(await other.getByText('Verified purchase').count()).toBe(0)
  expect(await other.locator('a[href^="/shops/"]').count()).toBe(0)
  await there.pressThis(mine.getByRole('link', { name: buyer.name }))
  await there.heading(buyer.user.username)
})

test('only the seller reaches the form of a reply', async () => {
  const { seller, mug, path } = await reviewed(3)
  const [{ id }] = (await seller.get(`/api/reviews/${mug.id}/reviews`)).body
  const stranger = await shop.signUp('stranger')
  expect((await stranger.get(`${path}/reply?review=${id}`)).headers.location).toBe(path)
  const login = `/login?next=${encodeURIComponent(`${path}/reply?review=${id}`)}`
  expect((await shop.visitor().get(`${path}/reply?review=${id}`)).headers.location).toBe(login)
  for (const wrong of ['', '?review=x', `?review=${mug.id}`])
    expect((await seller.get(`${path}/reply${wrong}`)).status, wrong).toBe(404)
})

test('without reviews there are no stars, order and histogram', async () => {
  const { path } = await reviewed()
  const there = await visit(shop, 'without scripts')
  await there.go(path)
  await there.sees('No reviews yet')
  expect(
    await there.page.locator('.about, .reviews').locator('.star, .histogram, .review-sorting').count(),
  ).toBe(0)
  await there.go('/')
  expect(await there.page.locator(`a[href="${path}"] .star`).count()).toBe(0)
})

test('of one number of stars there are no others, also not the own review', async () => {
  const { authors, path } = await reviewed(1, 5)
  const there = await visit(shop, 'with scripts', { signedInAs: authors[0] as Person })
  await there.go(`${path}?stars=5`)
  expect(await texts(there)).toEqual(['Review 2'])
  await there.go(`${path}?stars=1`)
  expect(await texts(there)).toEqual(['Review 1'])
})
