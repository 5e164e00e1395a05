import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, inEachMode, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

async function logIn({ user, password }: Person): Promise<Person> {
  const phone = shop.visitor()
  await phone.post('/api/auth/login', { email: user.email, password }, { 'user-agent': PHONE })
  return phone
}
const isIn = async (person: Person) => (await person.get('/api/auth/')).status === 200

inEachMode(mode => {
  test('a session is ended from another device', async () => {
    const ana = await shop.signUp('ana')
    const phone = await logIn(ana)
    const there = await visit(shop, mode, { signedInAs: ana })
    await there.go('/settings/security')
    await there.sees('This device')
    await there.sees('Chrome on an Android phone')
    await there.pressThis(there.page.getByRole('button', { name: /^Log out Chrome on an Android phone/ }))
    await there.page.getByRole('status').getByText('That device is logged out').waitFor()
    await there.missing('Chrome on an Android phone')
    expect([await isIn(phone), await isIn(ana)]).toEqual([false, true])
  })

  test('logging out everywhere leads home, and ends every session', async () => {
    const ana = await shop.signUp('ana')
    const phone = await logIn(ana)
    const there = await visit(shop, mode, { signedInAs: ana })
    await there.go('/settings/security')
    await there.press('button', 'Log out everywhere')
    await there.arrives('/')
    await there.openMenu()
    await there.sees('Log In')
    expect([await isIn(phone), await isIn(ana)]).toEqual([false, false])
  })

  test('changing the password: errors under the fields, then all other sessions end', async () => {
    const ana = await shop.signUp('ana')
    const phone = await logIn(ana)
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 400/] })
    await there.go('/settings/security')
    const fill = async (current: string, newPassword: string, repeated: string) => {
      await there.fill('Current Password', current)
      await there.fill('New Password', newPassword)
      await there.fill('Confirm New Password', repeated)
      await there.press('button', 'Change password')
    }
    await fill('not-it', '12345', 'other')
    await there.describes('New Password', 'Password must be between 6 and 20 characters.')
    await there.describes(
      'Confirm New Password',
      'Confirm Password field must be the same as the Password field',
    )
    await fill('not-it', 'secret-2', 'secret-2')
    await there.describes('Current Password', 'The current password is not correct')
    await fill(ana.password, 'secret-2', 'secret-2')
    await there.page
      .getByRole('status')
      .getByText('Your password is changed. Every other device is logged out')
      .waitFor()
    for (const label of ['Current Password', 'New Password', 'Confirm New Password'])
      await eventually(() => there.valueOf(label)).toBe('')
    await there.missing('Chrome on an Android phone')
    await there.openMenu()
    await there.sees(ana.user.username)
    expect(await isIn(phone)).toBe(false)
    expect(await isIn(await logIn(ana))).toBe(false)
    ana.password = 'secret-2'
    expect(await isIn(await logIn(ana))).toBe(true)
  })
})
