import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import { choose, fillIn, greeted } from '../support/browser/login-steps.ts'
import { expectFits } from '../support/browser/looks.ts'
import { inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { openOperator } from '../support/operators.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let otto: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
})
afterAll(() => shop.close())

const at = (slug: string) => `/api/operate/pages/${slug}`
async function publish(slug: string, text: string): Promise<number> {
  const { base } = (await otto.get(at(slug))).body
  const { id } = (await otto.post(`${at(slug)}/versions`, { text, base })).body
  await otto.post(`${at(slug)}/publish`, { version: id, reason: 'The meeting' })
  return id
}
beforeEach(async () => {
  for (const slug of ['terms', 'privacy']) {
    await otto.put(`${at(slug)}/agreement`, { agreed_at_signup: false, reason: 'The law' })
    await publish(slug, `What we say about ${slug}.`)
  }
})

let count = 0
const newcomer = () => ({
  Email: `member-${++count}@example.com`,
  'First Name': 'Nina',
  'Last Name': 'Carver',
  Username: `member-${count}`,
  Password: 'secret-1',
  'Confirm Password': 'secret-1',
})
const agreement = ({ page }: Visit) => page.getByRole('checkbox', { name: /^I agree to/ })
const PLEASE = 'Please agree to the Terms and the Privacy notice'

inEachMode(mode => {
  test('what is ticked beside another button is saved too', async () => {
    const operator = await visit(shop, mode, {
      signedInAs: await openOperator(shop),
      expects: [/status of 400/],
    })
    await operator.go('/operate/pages/terms')
    await operator.tick('New members agree to this page')
    await operator.fill('Reason', 'The meeting')
    await operator.press('button', 'Publish')
    await operator.sees('The page is published')
    expect((await otto.get(at('terms'))).body.agreed_at_signup).toBe(true)
    await operator.tick('New members agree to this page')
    await operator.press('button', 'Save the draft')
    await operator.describes('Reason', 'Please give a reason')
    await operator.fill('Reason', 'The law')
    await operator.press('button', 'Save the draft')
    await operator.sees('The draft is saved')
    expect((await otto.get(at('terms'))).body.agreed_at_signup).toBe(false)
  })

  test('a tick stays where the page shows a preview or a refusal', async () => {
    const operator = await visit(shop, mode, {
      signedInAs: await openOperator(shop),
      expects: [/status of 409/],
    })
    await operator.go('/operate/pages/terms')
    const isTicked = () => operator.page.getByLabel('New members agree to this page').isChecked()
    await operator.tick('New members agree to this page')
    await operator.press('button', 'Preview')
    await operator.heading('Preview')
    expect(await isTicked()).toBe(true)
    await operator.fill('Text', 'Ask [name of the shop]')
    await operator.fill('Reason', 'The meeting')
    await operator.press('button', 'Publish')
    await operator.page.getByRole('alert').waitFor()
    expect(await isTicked()).toBe(true)
    expect(await operator.valueOf('Reason')).toBe('The meeting')
    await operator.fill('Text', 'Ask us')
    await operator.press('button', 'Publish')
    await operator.sees('The page is published')
    expect((await otto.get(at('terms'))).body.agreed_at_signup).toBe(true)
  })

  test('an operator lets new members agree to pages; they read them, agree, and find it in their account', async () => {
    const operator = await visit(shop, mode, { signedInAs: await openOperator(shop) })
    for (const slug of ['terms', 'privacy']) {
      await operator.go(`/operate/pages/${slug}`)
      await operator.fill('Text', 'Not saved yet')
      await operator.tick('New members agree to this page')
      await operator.fill('Reason', 'The law')
      await operator.press('button', 'Save')
      await operator.sees('Saved')
      expect(await operator.page.getByLabel('Text').inputValue()).toBe('Not saved yet')
      expect(await operator.page.getByLabel('New members agree to this page').isChecked()).toBe(true)
    }

    const there = await visit(shop, mode, { expects: [/status of 400/] })
    const person = newcomer()
    await there.go('/')
    await choose(there, 'Sign Up')
    await agreement(there).waitFor()
    for (const [name, path] of [
      ['the Terms', '/terms'],
      ['the Privacy notice', '/privacy'],
    ] as const) {
      const link = there.one('link', name)
      expect(await link.getAttribute('href')).toBe(path)
      expect(await link.getAttribute('target')).toBe('_blank')
    }
    await fillIn(there, person)
    await there.press('button', 'Sign Up')
    await there.sees(PLEASE)
    expect(await agreement(there).getAttribute('aria-invalid')).toBe('true')
    expect(await there.field('Email').inputValue()).toBe(person.Email)
    await fillIn(there, { Password: person.Password, 'Confirm Password': person.Password })
    await there.tick('I agree to the Terms and the Privacy notice')
    await there.press('button', 'Sign Up')
    await there.one('link', '+ Add a product listing').waitFor()
    await greeted(there, person.Username)
    await there.go('/settings/account')
    await there.one('heading', 'What you agreed to').waitFor()
    expect(
      await there.page
        .getByRole('listitem')
        .filter({ hasText: /^Terms, version \d+: on / })
        .count(),
    ).toBe(1)
  })

  test('a version that is published while the form is open is agreed to anew; nothing else is lost', async () => {
    await otto.put(`${at('terms')}/agreement`, { agreed_at_signup: true, reason: 'The law' })
    const there = await visit(shop, mode, { expects: [/status of 400/] })
    const person = newcomer()
    await there.go('/signup')
    await fillIn(there, person)
    await there.tick('I agree to the Terms')
    const newest = await publish('terms', 'Be very kind.')
    await there.press('button', 'Sign Up')
    await there.sees('There is a new version of the Terms since you opened this form. Please agree to it')
    expect(await agreement(there).isChecked()).toBe(false)
    expect(await there.field('Username').inputValue()).toBe(person.Username)
    await fillIn(there, { Password: person.Password, 'Confirm Password': person.Password })
    await there.tick('I agree to the Terms')
    await there.press('button', 'Sign Up')
    await there.arrives('/')
    await greeted(there, person.Username)
    expect(
      await shop.rows(
        `select version_id from agreements join users on id = user_id where username = '${person.Username}'`,
      ),
    ).toEqual([{ version_id: newest }])
  })

  test('without such a page there is nothing to agree to', async () => {
    const there = await visit(shop, mode)
    await there.go('/')
    await choose(there, 'Sign Up')
    await there.field('Confirm Password').waitFor()
    expect(await agreement(there).count()).toBe(0)
    expect(await there.page.getByText('I agree to').count()).toBe(0)
  })
})

test('the form fits a narrow screen in both themes, without barriers', async () => {
  for (const slug of ['terms', 'privacy'])
    await otto.put(`${at(slug)}/agreement`, { agreed_at_signup: true, reason: 'The law' })
  for (const theme of ['light', 'dark'] as const) {
    const there = await visit(shop, 'with scripts', { theme, expects: [/status of 400/] })
    await there.go('/signup')
    await fillIn(there, newcomer())
    await there.press('button', 'Sign Up')
    await there.sees(PLEASE)
    await expectFits(there.page)
    expect([theme, await barriers(there.page)]).toEqual([theme, []])
  }
})
