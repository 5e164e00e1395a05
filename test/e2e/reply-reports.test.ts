import { afterAll, beforeAll, expect, test } from 'vitest'
import { hideReplyTo } from '#moderation/decisions.ts'
import { transaction } from '#platform/database/database.ts'
import { barriers } from '../support/browser/axe.ts'
import { expectFits } from '../support/browser/looks.ts'
import { inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { openOperator } from '../support/operators.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Opens a form by its summary, types a text into it, and sends it. */
async function send(there: Visit, summary: string, label: string, text: string, button = summary) {
  await there.pressThis(there.page.locator(`summary[aria-label="${summary}"]`))
  const field = there.page.locator('details[open]').getByLabel(label, { exact: true })
  if (there.mode === 'by keyboard') {
    await there.tabTo(field)
    await there.page.keyboard.insertText(text)
  } else await field.fill(text)
  await there.press('button', button)
}

inEachMode(mode => {
  test('a reply is reported, hidden, and shown again after an objection', async () => {
    const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
    const { id } = await shop.list(ana, { name: 'Indigo bowl' })
    const words = { review: 'It came cracked.', stars: 1 }
    const review = (await ben.post(`/api/reviews/${id}/create-review`, words)).body.id
    await ana.put(`/api/reviews/${review}/reply`, { reply: 'You dropped it, you fool.' })
    const isShown = async () =>
      (await shop.visitor().get(`/api/reviews/${id}/reviews`)).body[0].reply !== null

    const maker = await visit(shop, mode, { signedInAs: ana, expects: [/status of 409/] })
    await maker.go(`/products/${id}`)
    expect(await maker.page.getByRole('link', { name: 'Report this reply' }).count()).toBe(0)

    const visitor = await visit(shop, mode)
    await visitor.go(`/products/${id}`)
    await visitor.press('link', 'Report this reply')
    await visitor.arrives(`/report?listing=${id}&reply=${review}`)
    await visitor.sees('You dropped it, you fool.')
    if (visitor.scripted) expect(await barriers(visitor.page)).toEqual([])
    await visitor.choose('What is wrong', 'Insulting, or about a person’s private life')
    await visitor.fill('Please say more', 'He calls me a fool.')
    await visitor.press('button', 'Send the report')
    await visitor.sees('Thank you. Your report has arrived, and those who run the shop read it')

    const about = `reply of ${ana.user.username} to the review of Indigo bowl by ${ben.user.username}`
    const otto = await visit(shop, mode, { signedInAs: await openOperator(shop, 'otto') })
    await otto.go('/operate/reports')
    await otto.sees('It came cracked.')
    await otto.sees('You dropped it, you fool.')
    if (otto.scripted) {
      expect(await barriers(otto.page)).toEqual([])
      await expectFits(otto.page)
    }
    await send(otto, `Hide the reply: ${about}`, 'Reason', 'An insult')
    await otto.sees('Hidden. Its maker gets your reason')
    await otto.sees('No report waits for an answer')
    expect(await isShown()).toBe(false)

    // The maker cannot change it.
    await maker.go(`/products/${id}/reply?review=${review}`)
    await maker.fill('Your reply, for everybody to read', 'Another one.')
    await maker.press('button', 'Save reply')
    await maker.page
      .getByText(/have hidden your reply/)
      .first()
      .waitFor()
    expect(await maker.page.getByRole('button', { name: 'Delete reply' }).count()).toBe(1)
    await maker.go('/settings/notices')
    await maker.sees('You dropped it, you fool.')
    const title = 'Your reply to a review of Indigo bowl is hidden'
    await send(maker, `Object: ${title}`, 'Why it is wrong', 'It was a joke', `Send the objection: ${title}`)
    await maker.sees('Your objection has arrived. You get a letter when it is answered')

    const olga = await visit(shop, mode, { signedInAs: await openOperator(shop, 'olga') })
    await olga.go('/operate/reports')
    await send(olga, `Take the decision back: ${title}`, 'Reason', 'He laughed himself')
    await olga.sees('The decision is taken back')
    expect(await isShown()).toBe(true)
  })

  test('a hidden reply is deleted from its notice', async () => {
    const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
    const { id } = await shop.list(ana, { name: 'Slate bowl' })
    const words = { review: 'It came cracked.', stars: 1 }
    const review = (await ben.post(`/api/reviews/${id}/create-review`, words)).body.id
    await ana.put(`/api/reviews/${review}/reply`, { reply: 'You dropped it, you fool.' })
    await transaction(shop.db, db => hideReplyTo(db, null, review, { reason: 'An insult', rule: '' }))
    await ana.post(`/api/products/${id}/retire`)
    const maker = await visit(shop, mode, { signedInAs: ana })
    await maker.go('/settings/notices')
    await maker.sees('You dropped it, you fool.')
    const title = 'Your reply to a review of Slate bowl is hidden'
    await maker.pressThis(maker.page.locator(`summary[aria-label="Delete the reply: ${title}"]`))
    if (maker.scripted) expect(await barriers(maker.page)).toEqual([])
    await maker.press('button', `Yes, delete it: ${title}`)
    await maker.sees('Your reply is deleted')
    await maker.missing('You dropped it, you fool.')
  })
})
