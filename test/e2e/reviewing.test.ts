import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { reviewed } from '../support/reviewed.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const label = 'What did you think of this product?'

/** 'March 7, 2026', in UTC. */
const today = () => new Date().toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** Author and date of each review on the page. */
const signatures = ({ page }: Visit) =>
  page
    .locator('.review')
    .evaluateAll(reviews =>
      reviews.map(
        review =>
          `${review.querySelector('.review-by > :first-child')?.textContent}, ${review.querySelector('time')?.textContent}`,
      ),
    )

/** A review with so many stars. */
const starred = ({ page }: Visit, stars: number) =>
  page
    .getByRole('listitem')
    .getByRole('img', { name: `${stars} out of 5 stars`, exact: true })
    .waitFor()

/** Whether a text is visible without scrolling. */
const inWindow = (there: Visit, text: string) =>
  there.text(text).evaluate(element => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

inEachMode(mode => {
  test('a review is written, changed and deleted', async () => {
    const { author, other, name, path } = await reviewed(shop)
    const there = await visit(shop, mode, { signedInAs: author })
    await there.go(path)
    await there.heading('Reviews')
    await there.sees('Somebody else was here.')
    await starred(there, 2)
    expect(await signatures(there)).toEqual([`${other.name}, March 14, 2025`])
    expect(await there.one('button', 'Edit Review').count()).toBe(0)
    expect(await there.one('button', 'Delete Review').count()).toBe(0)
    await there.sees('You have not left a review yet')
    await there.press('link', 'Create Review')
    await there.arrives(`${path}/create-review`)
    await there.one('link', name).waitFor()
    await there.choose('Stars', '4')
    await there.fill(label, 'A fine mug.')
    const before = today()
    await there.press('button', 'Leave Review')
    await there.arrives(path)
    await there.sees('Thank you. Your review is here for everybody to read')
    await eventually(() => inWindow(there, 'A fine mug.')).toBe(true)
    const [newest = '', ...older] = await signatures(there)
    expect([before, today()].map(day => `${author.name}, ${day}`)).toContain(newest)
    expect(older).toEqual([`${other.name}, March 14, 2025`])
    await starred(there, 4)
    await there.missing('You have not left a review yet')
    expect(await there.one('link', 'Create Review').count()).toBe(0)

    await there.press('button', 'Edit Review')
    await there.dialog('Edit your review')
    expect(await there.valueOf(label)).toBe('A fine mug.')
    expect(await there.valueOf('Stars')).toBe('4')
    const options = await there.field('Stars').locator('option').allTextContents()
    expect(options).toEqual(['Select stars', '1', '2', '3', '4', '5'])
    await there.choose('Stars', '5')
    await there.fill(label, 'A very fine mug.')
    await there.press('button', 'Leave Review')
    await there.missing('Edit your review')
    await there.sees('Your review is changed')
    await there.arrives(path)
    await there.sees('A very fine mug.')
    await starred(there, 5)

    await there.press('button', 'Delete Review')
    await there.dialog('Are you sure you want to delete?')
    await there.press('button', 'No')
    await there.missing('Are you sure you want to delete?')
    await there.arrives(path)
    await there.press('button', 'Delete Review')
    await there.press('button', 'Yes')
    await there.missing('Are you sure you want to delete?')
    await there.arrives(path)
    await there.missing('A very fine mug.')
    await there.sees('You have not left a review yet')
    await there.sees('Somebody else was here.')
  })

  test('dialogs have addresses as pages', async () => {
    const { author, path, write } = await reviewed(shop)
    await write()
    const there = await visit(shop, mode, { signedInAs: author })
    await there.go(`${path}/edit-review`)
    await there.page.getByRole('heading', { name: 'Edit your review', level: 1 }).waitFor()
    expect(await there.page.getByRole('dialog').count()).toBe(0)
    expect(await there.valueOf(label)).toBe('A fine mug.')
    await there.fill(label, 'Changed on the page.')
    await there.press('button', 'Leave Review')
    await there.arrives(path)
    await there.sees('Changed on the page.')

    await there.go(`${path}/delete-review`)
    await there.page.getByRole('heading', { name: 'Are you sure you want to delete?', level: 1 }).waitFor()
    await there.press('button', 'No')
    await there.arrives(path)
    await there.sees('Changed on the page.')
    await there.go(`${path}/delete-review`)
    await there.press('button', 'Yes')
    await there.arrives(path)
    await there.missing('Changed on the page.')
  })
})

test('a visitor reads reviews and writes none', async () => {
  const { path } = await reviewed(shop)
  const there = await visit(shop, 'with scripts')
  await there.go(path)
  await there.sees('Somebody else was here.')
  await there.missing('You have not left a review yet')
  for (const name of ['Edit Review', 'Delete Review']) expect(await there.one('button', name).count()).toBe(0)
  expect(await there.one('link', 'Create Review').count()).toBe(0)
})

test('a listing without reviews has a message', async () => {
  const seller = await shop.signUp('seller')
  const mug = await shop.list(seller)
  const there = await visit(shop, 'with scripts')
  await there.go(`/products/${mug.id}`)
  await there.sees('No reviews yet')
})

test('the number of filled stars equals the rating', async () => {
  const { path } = await reviewed(shop)
  const there = await visit(shop, 'with scripts')
  await there.go(path)
  const stars = there.page.getByRole('listitem').getByRole('img', { name: '2 out of 5 stars' })
  expect(await stars.locator('svg').count()).toBe(5)
  expect(await stars.locator('svg:not(.hollow)').count()).toBe(2)
  // Five outer points: the inner ones are nearer to the centre.
  const points = await stars.locator('path').evaluateAll(drawings =>
    (drawings as SVGPathElement[]).map(drawing => {
      const { x, y, width, height } = drawing.getBBox()
      const isIn = (turn: number, far: number) => {
        const angle = (turn / 5) * 2 * Math.PI
        const across = x + width / 2 + (far * width * Math.sin(angle)) / 2
        return drawing.isPointInFill(
          new DOMPoint(across, y + (height * 10) / 19 - (far * height * Math.cos(angle)) / 2),
        )
      }
      return [0, 1, 2, 3, 4].map(n => isIn(n, 0.85) && !isIn(n + 0.5, 0.75)).join()
    }),
  )
  expect(points).toEqual(Array(5).fill('true,true,true,true,true'))
})

test('a star that is pressed chooses in the select, which stays the only control', async () => {
  const shopper = await shop.signUp('shopper')
  const mug = await shop.list(await shop.signUp('seller'))
  const there = await visit(shop, 'with scripts', { signedInAs: shopper })
  await there.go(`/products/${mug.id}/create-review`)
  const stars = there.page.locator('.press-star')
  await stars.nth(3).click()
  expect(await there.valueOf('Stars')).toBe('4')
  await there.page.keyboard.press('ArrowUp')
  expect(await there.valueOf('Stars')).toBe('3')
  await eventually(() => there.page.locator('.press-star .star:not(.hollow)').count()).toBe(3)
  expect(await there.page.getByRole('radio').count()).toBe(0)
})
