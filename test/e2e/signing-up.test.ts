import { afterAll, beforeAll, expect, test } from 'vitest'
import { choose, fillIn, greeted } from '../support/browser/login-steps.ts'
import { eventually, inEachMode, visit } from '../support/browser/steps.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const CONFIRM = 'Confirm Password field must be the same as the Password field'
const messages = {
  Email: 'Please provide a valid email',
  'First Name': 'First name must be between 3 and 30 characters',
  'Last Name': 'Last name must be between 3 and 30 characters',
  Username: 'Username must be between 3 and 30 characters',
  Password: 'Password must be between 6 and 20 characters.',
}
type Field = keyof typeof messages | 'Confirm Password'
const labels = [...Object.keys(messages), 'Confirm Password'] as Field[]

let count = 0
const newcomer = (): Record<Field, string> => ({
  Email: `newcomer-${++count}@example.com`,
  'First Name': 'Nina',
  'Last Name': 'Carver',
  Username: `newcomer-${count}`,
  Password: 'secret-1',
  'Confirm Password': 'secret-1',
})

inEachMode(mode => {
  test('signing up from the menu, with every error under its field', async () => {
    const there = await visit(shop, mode, { expects: [/status of 400/] })
    const person = newcomer()
    await there.go('/')
    await choose(there, 'Sign Up')
    if (there.scripted) {
      await there.press('button', 'Sign Up')
      await there.describes('Confirm Password', 'Confirm Password is required')
    }
    const short = Object.fromEntries(Object.keys(messages).map(label => [label, 'ab']))
    await fillIn(there, { ...short, 'Confirm Password': 'ab' })
    await there.press('button', 'Sign Up')
    for (const [label, message] of Object.entries(messages)) await there.describes(label, message)
    await fillIn(there, { ...person, 'Confirm Password': 'another' })
    await there.press('button', 'Sign Up')
    await there.describes('Confirm Password', CONFIRM)
    await fillIn(there, { ...person, 'First Name': 'x'.repeat(31), Password: 'x'.repeat(21) })
    await there.fill('Confirm Password', 'x'.repeat(21))
    await there.press('button', 'Sign Up')
    await there.describes('First Name', messages['First Name'])
    await there.describes('Password', messages.Password)
    await fillIn(there, person)
    await there.press('button', 'Sign Up')
    await there.arrives('/')
    await there.one('link', '+ Add a product listing').waitFor()
    await greeted(there, person.Username)
  })

  test('the signup page checks the confirmation, the server the rest', async () => {
    const existing = await shop.signUp('taken')
    const there = await visit(shop, mode, { expects: [/status of 4(00|09)/] })
    const posts: string[] = []
    there.page.on('request', request => {
      if (request.method() === 'POST') posts.push(request.url())
    })
    await there.go('/signup')
    for (const label of labels) await there.field(label).waitFor()
    const short = Object.fromEntries(Object.keys(messages).map(label => [label, 'ab']))
    await fillIn(there, { ...short, 'Confirm Password': 'cd' })
    await there.press('button', 'Sign Up')
    await there.describes('Confirm Password', CONFIRM)
    expect(posts).toHaveLength(there.scripted ? 0 : 1)
    for (const message of Object.values(messages)) expect(await there.text(message).count()).toBe(0)
    await fillIn(there, { Password: 'ab', 'Confirm Password': 'ab' })
    await there.press('button', 'Sign Up')
    for (const [label, message] of Object.entries(messages)) await there.describes(label, message)
    expect(posts).toHaveLength(there.scripted ? 1 : 2)

    await fillIn(there, { ...newcomer(), Email: existing.user.email.toUpperCase() })
    await there.press('button', 'Sign Up')
    await eventually(() => there.field('Email').getAttribute('aria-invalid')).toBe('true')
    await fillIn(there, newcomer())
    await there.press('button', 'Sign Up')
    await there.arrives('/')
    await there.one('link', '+ Add a product listing').waitFor()
  })
})

test('the signup dialog checks every rule before sending', async () => {
  const there = await visit(shop, 'with scripts')
  const sent: string[] = []
  there.page.on('request', request => {
    if (request.method() === 'POST') sent.push(request.url())
  })
  await there.go('/')
  await choose(there, 'Sign Up')
  for (const [label, message] of Object.entries(messages)) {
    await fillIn(there, {
      ...newcomer(),
      [label]: 'ab',
      ...(label === 'Password' ? { 'Confirm Password': 'ab' } : {}),
    })
    await there.press('button', 'Sign Up')
    await there.describes(label, message)
  }
  await fillIn(there, { ...newcomer(), 'Confirm Password': 'another' })
  await there.press('button', 'Sign Up')
  await there.describes('Confirm Password', CONFIRM)
  expect(sent).toEqual([])
})
