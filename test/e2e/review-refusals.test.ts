import { afterAll, beforeAll, expect, test } from 'vitest'
import { inEachMode, signIn, visit } from '../support/browser/steps.ts'
import { reviewed } from '../support/reviewed.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const label = 'What did you think of this product?'
const createMessage = 'Reviews must be between 2 and  2000 characters'
const editMessage = 'Reviews must be between 2 and 2000 characters'
const starsMessage = 'Stars must be between 1 and 5'

inEachMode(mode => {
  test('text length and missing stars are reported under their fields', async () => {
    const { author, path, write } = await reviewed(shop)
    const there = await visit(shop, mode, { signedInAs: author, expects: [/status of 400/] })
    await there.go(`${path}/create-review`)
    expect(await there.text(starsMessage).count()).toBe(0)
    await there.press('button', 'Leave Review')
    await there.describes('Stars', starsMessage)
    await there.describes(label, createMessage)
    // Both spaces are rendered.
    const collapse = (element: Element) => getComputedStyle(element).whiteSpaceCollapse
    expect(await there.text(createMessage).evaluate(collapse)).toBe('preserve')
    await there.choose('Stars', '3')
    await there.fill(label, 'x'.repeat(2001))
    await there.press('button', 'Leave Review')
    await there.describes(label, createMessage)
    await there.missing(starsMessage)
    expect(await there.valueOf(label)).toHaveLength(2001)

    await write()
    await there.go(`${path}/edit-review`)
    await there.choose('Stars', 'Select stars')
    await there.fill(label, 'x')
    await there.press('button', 'Leave Review')
    await there.describes('Stars', starsMessage)
    await there.describes(label, editMessage)
  })

  test('a second review is refused', async () => {
    const { author, path, write } = await reviewed(shop)
    const there = await visit(shop, mode, { signedInAs: author, expects: [/status of 409/] })
    await there.go(`${path}/create-review`)
    await write()
    await there.choose('Stars', '3')
    await there.fill(label, 'Once more.')
    await there.press('button', 'Leave Review')
    await there.sees('You can only leave one review per product.')
    expect(await there.valueOf(label)).toBe('Once more.')
  })

  test('a deleted review can be neither edited nor deleted', async () => {
    const { author, path, write, remove } = await reviewed(shop)
    const there = await visit(shop, mode, { signedInAs: author, expects: [/status of 40[34]/] })
    await there.go(`${path}/edit-review`)
    await there.page.getByText('You do not have a review to edit').waitFor()
    await there.go(`${path}/delete-review`)
    await there.page.getByText('You do not have a review to delete').waitFor()
    await write()
    await there.go(`${path}/edit-review`)
    await remove()
    await there.press('button', 'Leave Review')
    await there.page.getByText('You do not have a review to edit').first().waitFor()
    await write()
    await there.go(`${path}/delete-review`)
    await remove()
    await there.press('button', 'Yes')
    await there.page.getByText('You do not have a review to delete').first().waitFor()
  })

  test('an ended session is reported, and nothing typed is lost', async () => {
    const { author, path, write } = await reviewed(shop)
    const there = await visit(shop, mode, { signedInAs: author, expects: [/status of 401/] })
    await there.go(`${path}/create-review`)
    await there.page.context().clearCookies()
    await there.choose('Stars', '3')
    await there.fill(label, 'Who am I?')
    await there.press('button', 'Leave Review')
    await there.sees('You must be logged in to leave a review.')
    expect(await there.valueOf(label)).toBe('Who am I?')
    await write()
    await signIn(there, author)
    await there.go(`${path}/edit-review`)
    await there.page.context().clearCookies()
    await there.press('button', 'Leave Review')
    await there.sees('You must be logged in to edit a review.')
    await signIn(there, author)
    await there.go(`${path}/delete-review`)
    await there.page.context().clearCookies()
    await there.press('button', 'Yes')
    if (!there.scripted) return there.page.getByRole('heading', { name: 'Log In' }).waitFor()
    await there.sees('You must be logged in to delete a review.')
    await there.page.getByRole('main').getByRole('link', { name: 'Log In' }).waitFor()
  })
})
