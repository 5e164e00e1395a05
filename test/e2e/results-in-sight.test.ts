import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSeen } from '../support/browser/in-window.ts'
import { eventually, type Visit, visit } from '../support/browser/steps.ts'
import { openOperator } from '../support/operators.ts'
import { times } from '../support/person.ts'
import { openShop, type TestShop } from '../support/shop.ts'

// What a form says and keeps when it is refused, or done, with and without scripts.

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
const expects = [/status of 4(00|01|09)/]

const isFocused = (there: Visit, selector: string) =>
  eventually(() => there.page.evaluate(selector => document.activeElement?.matches(selector), selector)).toBe(
    true,
  )
/** Moves to the end of the page. */
const toTheEnd = (there: Visit) => there.page.evaluate(() => scrollTo(0, document.body.scrollHeight))

test('what is refused again is shown again, wherever the button is', async () => {
  const ana = await shop.signUp('ana')
  await times(12, n =>
    ana.post('/api/drafts/', { fields: { name: `Bowl ${n}` } }, { 'idempotency-key': `bowl-number-${n}` }),
  )
  const there = await visit(shop, 'with scripts', { signedInAs: ana, expects })
  await there.go('/drafts')
  for (const _ of ['once', 'again']) {
    await toTheEnd(there)
    await there.press('button', 'Publish the ticked ones')
    await isSeen(there, '.problems')
  }
})

test('an error of several fields is in sight', async () => {
  const there = await visit(shop, 'with scripts', {
    signedInAs: await shop.signUp('ana'),
    expects,
    width: 390,
  })
  await there.go('/settings/seller')
  await there.fill('Name of who sells', 'Ana')
  await there.field('Address').fill('1 Mill Lane')
  await toTheEnd(there)
  await there.press('button', 'Save')
  await there.page.locator('#is-trader-error').waitFor()
  await isSeen(there, '#is-trader-error, [aria-invalid=true]')
})

test('what was done gets the focus, and the form of the next measure is empty and closed', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana, { name: 'Walnut spoon' })
  const maker = await visit(shop, 'with scripts', { signedInAs: ana })
  await maker.go('/settings/holiday')
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await maker.fill('First day', tomorrow)
  await maker.fill('Last day', tomorrow)
  await maker.press('button', 'Save')
  await maker.sees('Saved')
  await isFocused(maker, '[role=status]')

  const operator = await visit(shop, 'with scripts', {
    signedInAs: await openOperator(shop, 'olga'),
    expects,
  })
  await operator.go('/operate/listings?q=walnut')
  await operator.pressThis(operator.page.locator('summary', { hasText: 'Hide' }))
  await operator.page.locator('details[open] textarea').fill('A copy')
  await operator.press('button', 'Hide: Walnut spoon')
  await operator.sees('Hidden. Its maker gets your reason')
  await isFocused(operator, '[role=status]')
  expect(await operator.page.locator('details.reason[open]').count()).toBe(0)
  await operator.pressThis(operator.page.locator('summary', { hasText: 'Show again' }))
  expect(await operator.page.locator('details[open] textarea').inputValue()).toBe('')
  await shop.rows(`update products set hidden_at = null where id = ${id}`)
})

test('a wrong password gets the focus each time', async () => {
  const there = await visit(shop, 'with scripts', { signedInAs: await openOperator(shop, 'oda'), expects })
  await there.go('/operate/confirm')
  for (const _ of ['once', 'again']) {
    await there.fill('Your password', 'not this one')
    await there.press('button', 'Confirm')
    await isFocused(there, 'input[name=current_password]')
  }
})
