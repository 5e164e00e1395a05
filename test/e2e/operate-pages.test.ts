import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import { expectFits } from '../support/browser/looks.ts'
import { eventually, inEachMode, signIn, type Visit, visit } from '../support/browser/steps.ts'
import { nameOperator, openOperator } from '../support/operators.ts'
import { PASSWORD } from '../support/person.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Proves who they are, from the page that they wanted. */
async function confirm(there: Visit, path: string): Promise<void> {
  await there.go(path)
  await there.arrives(`/operate/confirm?next=${encodeURIComponent(path)}`)
  await there.fill('Your password', PASSWORD)
  await there.press('button', 'Confirm')
  await there.arrives(path)
}

/** Opens a form by its summary. */
const openDetails = (there: Visit, name: string) =>
  there.pressThis(there.page.locator(`summary[aria-label="${name}"]`))
/** A field of the form that is open. */
const inOpen = (there: Visit, label: string) =>
  there.page.locator('details[open]').getByLabel(label, { exact: true })
async function typeInto(there: Visit, label: string, text: string): Promise<void> {
  const field = inOpen(there, label)
  if (there.mode !== 'by keyboard') return field.fill(text)
  await there.tabTo(field)
  await there.page.keyboard.insertText(text)
}

/** Waits until a field of the open form is marked as wrong. */
const isRefused = (there: Visit, label: string) =>
  eventually(() => inOpen(there, label).getAttribute('aria-invalid')).toBe('true')

const isListed = async (id: number) => (await shop.visitor().get(`/api/products/${id}`)).status === 200

inEachMode(mode => {
  test('a report is answered by hiding, its maker objects, and another operator takes it back', async () => {
    const ana = await shop.signUp('ana')
    const { id } = await shop.list(ana, { name: 'Indigo bowl' })
    const refused = [/status of 400/]
    const visitor = await visit(shop, mode, { expects: refused })
    await visitor.go(`/products/${id}`)
    await visitor.press('link', 'Report this piece')
    await visitor.arrives(`/report?listing=${id}`)
    await visitor.press('button', 'Send the report')
    await visitor.describes('What is wrong', 'Please choose a reason')
    await visitor.describes('Please say more', 'Please say what is wrong')
    await visitor.choose('What is wrong', 'A copy, or a photo that belongs to somebody else')
    await visitor.fill('Please say more', 'This photo is mine.')
    await visitor.press('button', 'Send the report')
    await visitor.sees('Thank you. Your report has arrived, and those who run the shop read it')

    // The pages ask first who it is.
    const expects = [/status of 403/]
    const otto = await visit(shop, mode, { signedInAs: await nameOperator(shop, 'otto'), expects })
    await otto.go('/settings/security')
    await otto.press('link', 'Operate the shop')
    await otto.arrives('/operate/confirm?next=%2Foperate')
    await confirm(otto, '/operate/reports')
    await otto.sees('This photo is mine.')
    await openDetails(otto, 'Hide: Indigo bowl')
    await typeInto(otto, 'Reason', 'The photo is of another maker')
    await typeInto(otto, 'Rule that was broken, if there is one', 'Your own work')
    await otto.press('button', 'Hide: Indigo bowl')
    await otto.sees('Hidden. Its maker gets your reason')
    await otto.sees('No report waits for an answer')
    expect(await isListed(id)).toBe(false)

    const maker = await visit(shop, mode, { signedInAs: ana, expects: refused })
    await maker.go('/settings/notices')
    await maker.sees('The photo is of another maker')
    await maker.sees('The rule: Your own work')
    await openDetails(maker, 'Object: Your piece Indigo bowl is hidden')
    await maker.press('button', 'Send the objection: Your piece Indigo bowl is hidden')
    await isRefused(maker, 'Why it is wrong')
    await maker.sees('Please say why you object')
    await typeInto(maker, 'Why it is wrong', 'I took it myself')
    await maker.press('button', 'Send the objection: Your piece Indigo bowl is hidden')
    await maker.sees('Your objection has arrived. You get a letter when it is answered')

    const olga = await visit(shop, mode, { signedInAs: await nameOperator(shop, 'olga'), expects })
    await confirm(olga, '/operate/reports')
    await olga.sees('I took it myself')
    await openDetails(olga, 'Take the decision back: Your piece Indigo bowl is hidden')
    await typeInto(olga, 'Reason', 'It is her own photo')
    await olga.press('button', 'Take the decision back: Your piece Indigo bowl is hidden')
    await olga.sees('The decision is taken back')
    expect(await isListed(id)).toBe(true)
    await maker.go('/settings/notices')
    await maker.sees('It is her own photo')
  })

  test('a reason that is missing is asked for, and what was typed stays', async () => {
    const { id } = await shop.list(await shop.signUp('ana'), { name: 'Walnut spoon' })
    const there = await visit(shop, mode, { signedInAs: await openedOperator(), expects: [/status of 400/] })
    await there.go('/operate/listings?q=walnut')
    await openDetails(there, 'Hide: Walnut spoon')
    await typeInto(there, 'Rule that was broken, if there is one', 'Your own work')
    await there.press('button', 'Hide: Walnut spoon')
    await isRefused(there, 'Reason')
    await there.sees('Please give a reason')
    expect(await inOpen(there, 'Rule that was broken, if there is one').inputValue()).toBe('Your own work')
    await typeInto(there, 'Reason', 'A copy')
    await there.press('button', 'Hide: Walnut spoon')
    await there.sees('Hidden. Its maker gets your reason')
    expect(await isListed(id)).toBe(false)
    await shop.rows(`update products set name = 'Spoon', hidden_at = null where id = ${id}`)
  })
})

test('an invitation that is being written stays when another form of its page has a result', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: await openedOperator() })
  await there.go('/operate/makers')
  await there.fill('For whom', 'The spring fair')
  await there.press('button', 'Make a link')
  await there.sees('Here is the link. It is shown this once')
  expect(await there.valueOf('For whom')).toBe('')
  await there.fill('For whom', 'The autumn fair')
  await openDetails(there, 'Take back: The spring fair')
  await typeInto(there, 'Reason', 'A mistake')
  await there.press('button', 'Take back: The spring fair')
  await there.sees('The link is taken back')
  expect(await there.valueOf('For whom')).toBe('The autumn fair')
})

/** An operator whose pages are open. */
const openedOperator = (): Promise<Person> => openOperator(shop)

test('pages that closed while a form was open keep what was typed, and it can be sent again', async () => {
  const { id } = await shop.list(await shop.signUp('ana'), { name: 'Felt hat' })
  for (const mode of ['with scripts', 'without scripts'] as const) {
    const otto = await openedOperator()
    const there = await visit(shop, mode, { signedInAs: otto, expects: [/status of 403/] })
    await there.go('/operate/listings?q=felt')
    await openDetails(there, 'Hide: Felt hat')
    await typeInto(there, 'Reason', 'A long reason that took a while')
    await shop.rows('update operator_sessions set expires_at = now()')
    await there.press('button', 'Hide: Felt hat')
    await there.sees('Please confirm that it is you')
    await otto.post('/api/operate/session', { current_password: PASSWORD })
    await signIn(there, otto)
    expect(await inOpen(there, 'Reason').inputValue()).toBe('A long reason that took a while')
    await there.page.getByRole('button', { name: /: (number|Felt hat)/ }).click()
    await there.sees('Hidden. Its maker gets your reason')
    await shop.rows(`update products set hidden_at = null, deleted_at = null where id = ${id}`)
  }
})

test('every page of operators is without barriers, in both schemes, and fits a small phone', async () => {
  const otto = await openedOperator()
  const ana = await shop.signUp('ana')
  const long = 'An-uncommonly-long-word-that-no-line-can-hold-pot'
  const { id } = await shop.list(ana, { name: long })
  const review = { review: 'x'.repeat(300), stars: 1 }
  await otto.post(`/api/reviews/${id}/create-review`, review)
  await otto.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  await otto.post('/api/orders/checkout')
  await otto.post(`/api/products/${id}/reports`, { grounds: 'copy', words: 'y'.repeat(300) })
  for (const theme of ['light', 'dark'] as const) {
    const there = await visit(shop, 'with scripts', { signedInAs: otto, theme })
    for (const part of [
      '',
      '/reports',
      '/listings',
      '/reviews',
      '/people',
      '/orders',
      '/operators',
      '/log',
      '/confirm',
    ]) {
      await there.go(`/operate${part}`)
      for (const details of await there.page.locator('details.reason').all())
        await details.evaluate(element => element.setAttribute('open', ''))
      expect([part, await barriers(there.page)]).toEqual([part, []])
      await expectFits(there.page)
    }
  }
})
