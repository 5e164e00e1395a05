import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { itsDetails } from '../support/listings.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const { questions } = itsDetails

/** A control of one question in the listing form. */
function inQuestion(there: Visit, n: number) {
  const group = there.page.getByRole('group', { name: `Question ${n}`, exact: true })
  return async (label: string, text: string) => {
    const field = group.getByLabel(label, { exact: true })
    if (there.mode === 'by keyboard') await there.tabTo(field)
    if ((await field.evaluate(element => element.tagName)) === 'SELECT')
      await field.selectOption({ label: text })
    else await field.fill(text)
  }
}

inEachMode(mode => {
  test('a maker asks questions, and takes one back', async () => {
    const ana = await shop.signUp('ana')
    const { id } = await shop.list(ana)
    const stored = async () => (await ana.get(`/api/products/${id}/details`)).body.questions
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 400/] })
    const open = async () => {
      await there.go(`/products/${id}/edit`)
      const group = there.page.locator('details').filter({ hasText: 'Personalisation' })
      if (!(await group.evaluate(element => element.hasAttribute('open'))))
        await there.pressThis(group.locator('summary'))
    }
    await open()
    for (const n of [1, 2]) {
      if (there.scripted) await there.press('button', 'Add a question')
      await inQuestion(there, n)('What you ask', n === 1 ? 'Name on the mug' : '')
    }
    await inQuestion(there, 1)('Instructions', 'At most two words')
    await inQuestion(there, 1)('Must it be answered?', 'Yes')
    await inQuestion(there, 1)('Longest answer', '20')
    await inQuestion(there, 2)('Options', 'Blue\n\nGreen\n')
    await there.press('button', 'Update listing')
    const wrong = there.page.getByRole('group', { name: 'Question 2' }).getByText('Question is required')
    await wrong.waitFor()
    await inQuestion(there, 2)('What you ask', 'Colour')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    expect(await stored()).toEqual(questions)

    await open()
    if (there.scripted) await there.press('button', 'Remove question 1')
    else
      for (const label of ['What you ask', 'Instructions', 'Longest answer'])
        await inQuestion(there, 1)(label, '')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    expect(await stored()).toEqual([questions[1]])
  })

  test('a shopper answers, and maker and shopper read it until it is packed', async () => {
    const ana = await shop.signUp('ana')
    const ben = await shop.signUp('ben')
    const { id, name } = await shop.list(ana, { name: 'Round mug', questions })
    const there = await visit(shop, mode, { signedInAs: ben, expects: [/status of 400/] })
    await there.go(`/products/${id}`)
    await there.choose('Colour (optional)', 'Green')
    await there.press('button', 'Add to cart')
    await there.describes('Name on the mug', 'Please answer “Name on the mug”')
    expect(await there.valueOf('Colour (optional)')).toBe('Green')
    for (const [answer, inCart] of [
      ['Ana', 'Cart, 1 item'],
      ['Ben', 'Cart, 2 items'],
    ] as const) {
      await there.fill('Name on the mug', answer)
      await there.choose('Colour (optional)', 'Green')
      await there.press('button', 'Add to cart')
      await there.sees('Item added to cart!')
      await there.one('link', inCart).waitFor()
      if (there.scripted) await eventually(() => there.one('button', 'Add to cart').isEnabled()).toBe(true)
    }
    await there.go('/cart')
    const lines = there.page.locator('.cart-line')
    await eventually(() => lines.count()).toBe(2)
    await lines.filter({ hasText: 'Name on the mug' }).filter({ hasText: 'Ben' }).waitFor()
    const remove = lines.filter({ hasText: 'Ben' }).getByRole('button', { name: `Remove ${name}` })
    await there.pressThis(remove)
    await there.sees('Item was removed from your cart')
    await eventually(() => lines.count()).toBe(1)
    await there.press('button', 'Undo')
    await lines.filter({ hasText: 'Ben' }).filter({ hasText: 'Green' }).waitFor()

    await there.press('button', 'Proceed to checkout')
    await there.dialog('Review Your Order')
    for (const answer of ['Ana', 'Ben'])
      await there.page.locator('.checkout-lines li').filter({ hasText: answer }).waitFor()
    await there.press('button', 'Yes (place order)')
    await there.arrives('/orders/view')
    for (const answer of ['Ana', 'Ben'])
      await there.page.locator('.order-line').filter({ hasText: answer }).waitFor()
    const [{ id: order }] = (await ben.get('/api/orders/')).body
    await there.go(`/orders/${order}`)
    await there.page.locator('.lines li').filter({ hasText: 'Ana' }).waitFor()

    const maker = await visit(shop, mode, { signedInAs: ana })
    await maker.go(`/sold/${order}`)
    // It could be collected too.
    await maker.pressThis(maker.page.locator('summary').filter({ hasText: 'Send it instead' }))
    const label = 'Round mug (Name on the mug: Ana; Colour: Green)'
    const amount = maker.page.getByRole('group', { name: 'How many to send' }).getByLabel(label)
    if (mode === 'by keyboard') await maker.tabTo(amount)
    await amount.fill('0')
    await maker.press('button', 'Mark as sent')
    await maker.sees('Marked as sent. The shopper gets a letter soon')
    await maker.page.getByText('1 × Round mug (Name on the mug: Ben; Colour: Green)').first().waitFor()
    await maker.press('link', 'Packing slip')
    await maker.page.getByRole('row').filter({ hasText: 'Ana' }).waitFor()
    // Sent before.
    await maker.page.locator('.slip li').filter({ hasText: 'Ben' }).waitFor()
  })

  test('a visitor answers, logs in, and it is in the cart', async () => {
    const ana = await shop.signUp('ana')
    const ben = await shop.signUp('ben')
    const { id } = await shop.list(ana, { questions })
    const there = await visit(shop, mode, { expects: [/status of 401/] })
    await there.go(`/products/${id}`)
    await there.fill('Name on the mug', 'Zoë & Ðan')
    await there.press('button', 'Add to cart')
    await there.sees('Please login to add items to cart.')
    expect(await there.valueOf('Name on the mug')).toBe('Zoë & Ðan')
    const link = there.page.locator('.add-to-cart').getByRole('link', { name: 'Log In' })
    await there.pressThis(link)
    await there.fill('Email', ben.user.email)
    await there.fill('Password', ben.password)
    await there.pressThis(there.page.locator('form').getByRole('button', { name: 'Log In', exact: true }))
    await there.sees('Item added to cart!')
    await eventually(
      async () => (await ben.get(`/api/cart_items/${ben.user.id}`)).body.cart_items[0]?.answers,
    ).toEqual([{ question: 'Name on the mug', answer: 'Zoë & Ðan' }])
  })
})

test('the pages with questions and answers fit every screen, and have no barriers', async () => {
  const ana = await shop.signUp('ana')
  const long = 'Words-without-a-gap-that-are-rather-long-'.repeat(6)
  const { id } = await shop.list(ana, {
    questions: [
      { title: 'W'.repeat(45), instructions: 'i'.repeat(120), required: false, max_length: 256 },
      questions[1]!,
    ],
  })
  await ana.post(`/api/cart_items/add/${id}`, {
    quantity: 1,
    answers: [{ question: 'W'.repeat(45), answer: long }],
  })
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  const fits = async (path: string) => {
    await there.go(path)
    await there.page.locator('details.group:has(.questions)').evaluateAll(all => {
      for (const details of all) details.setAttribute('open', '')
    })
    await expectOpen(there.page)
    await expectFits(there.page)
  }
  for (const path of [`/products/${id}`, `/products/${id}/edit`, '/cart', '/cart?checkout=yes'])
    await fits(path)
  const order = (await ana.post('/api/orders/checkout')).body.id
  for (const path of [`/orders/${order}`, `/sold/${order}`, `/sold/${order}/slip`]) await fits(path)
})
