import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { GONE } from '../support/confirmation-letters.ts'
import { type MailServer, openMailServer } from '../support/mail-server.ts'
import { newcomer } from '../support/person.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let mail: MailServer
let shop: TestShop
beforeAll(async () => {
  mail = await openMailServer()
  shop = await openShop({ settings: mail.settings })
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
})

const PAGE = '/settings/account'
const other = () => newcomer('new').email

/** Where the link of the newest letter at an address leads, of so many. */
async function linkAt(address: string, count = 1): Promise<string> {
  const found = () => mail.letters.filter(({ recipients }) => recipients.includes(address))
  await eventually(() => found().length).toBe(count)
  return /http:\/\/shop\.example(\/confirm-email\?token=\S+)/.exec(found().at(-1)?.text ?? '')?.[1] ?? ''
}
const status = (there: Visit, words: string) => there.page.getByRole('status').getByText(words).waitFor()
/** The pressed button is gone. With scripts the focus is on what has happened. */
async function focuses(there: Visit, words: string): Promise<void> {
  if (there.scripted)
    await eventually(() => there.page.evaluate(() => document.activeElement?.textContent)).toBe(words)
}
/** The text of the section about the address. */
const section = (there: Visit) => there.page.locator('section[aria-labelledby=email]')

/** Somebody who signs up, and so gets a welcome letter. */
async function signUp(): Promise<Person> {
  const person = shop.visitor()
  person.user = (await person.post('/api/auth/signup', { ...newcomer(), password: person.password })).body
  return person
}

inEachMode(mode => {
  test('an address is confirmed by one press, on a device without a session', async () => {
    const person = await signUp()
    const link = await linkAt(person.user.email)
    const there = await visit(shop, mode)
    const sources: Promise<string>[] = []
    there.page.on('request', request => {
      sources.push(request.allHeaders().then(({ referer = '' }) => referer))
    })
    await there.go(link)
    await there.heading('Confirm your address')
    await there.press('button', 'Confirm')
    await status(there, 'Thank you. Your e-mail address is confirmed')
    await focuses(there, 'Thank you. Your e-mail address is confirmed')
    // Without the token.
    await there.arrives('/confirm-email')
    expect((await person.get('/api/auth/email')).body.confirmed).toBe(true)
    // Requests name the shop, and not the address with the token.
    expect((await Promise.all(sources)).filter(source => source.includes('token='))).toEqual([])
    await there.go(link)
    await there.press('button', 'Confirm')
    await status(there, 'Your e-mail address is confirmed already. There is nothing left to do')
    await there.press('link', 'Log In')
    await there.arrives('/login')
  })

  test('an unconfirmed address is marked, and another letter confirms it', async () => {
    const person = await signUp()
    await linkAt(person.user.email)
    const there = await visit(shop, mode, { signedInAs: person })
    await there.go(PAGE)
    await section(there).getByText('is not confirmed yet').waitFor()
    await there.press('button', 'Send the letter again')
    await status(there, 'The letter is on its way. It may take a few minutes')
    await there.go(await linkAt(person.user.email, 2))
    await there.press('button', 'Confirm')
    await status(there, 'Thank you. Your e-mail address is confirmed')
    await there.press('link', 'Your account')
    await there.arrives(PAGE)
    await section(there).getByText('is confirmed.').waitFor()
    await there.missing('Send the letter again')
  })

  test('an address is changed, with messages under the fields, when it is confirmed there', async () => {
    const [ana, ben, email] = [await shop.signUp('ana'), await shop.signUp('ben'), other()]
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 400/] })
    await there.go(PAGE)
    await there.press('button', 'Change e-mail address')
    await there.describes('New Email', 'Email is required')
    await there.describes('Current Password', 'Current password is required')
    await there.fill('New Email', ben.user.email)
    await there.fill('Current Password', 'not-it')
    await there.press('button', 'Change e-mail address')
    await there.describes('Current Password', 'The current password is not correct')
    expect(await there.valueOf('New Email')).toBe(ben.user.email)
    await there.fill('Current Password', ana.password)
    await there.press('button', 'Change e-mail address')
    await there.describes('New Email', 'Email is already in use')
    await there.fill('New Email', email)
    await there.fill('Current Password', ana.password)
    await there.press('button', 'Change e-mail address')
    await status(there, 'We have sent a letter to your new address')
    await focuses(there, 'We have sent a letter to your new address')
    await section(there).getByText(email).waitFor()
    await there.one('button', 'Cancel this change').waitFor()
    expect(await there.valueOf('Current Password')).toBe('')

    await there.go(await linkAt(email))
    await there.press('button', 'Confirm')
    await status(there, 'Your e-mail address is changed. From now on you log in with the new one')
    await there.press('link', 'Your account')
    await there.arrives(PAGE)
    await section(there).getByText(email).waitFor()
    await section(there).getByText('is confirmed.').waitFor()
    expect(await section(there).textContent()).not.toContain(ana.user.email)
  })

  test('a pending change can be cancelled, and its link explains what to do', async () => {
    const [ana, email] = [await shop.signUp('ana'), other()]
    await ana.post('/api/auth/email', { email, current_password: ana.password })
    const link = await linkAt(email)
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 400/] })
    await there.go(PAGE)
    await section(there).getByText(email).waitFor()
    await there.press('button', 'Cancel this change')
    await status(there, 'Your e-mail address stays as it is')
    await there.missing('Cancel this change')
    await focuses(there, 'Your e-mail address stays as it is')
    await there.go(link)
    await there.press('button', 'Confirm')
    await there.sees(GONE)
    await focuses(there, GONE)
    await there.press('link', 'Ask for another letter')
    await there.arrives(PAGE)
  })

  test('a typed address is there again if the session has ended', async () => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 401/] })
    await there.go(PAGE)
    await there.fill('New Email', 'typed@example.com')
    await there.fill('Current Password', ana.password)
    await there.page.context().clearCookies()
    await there.press('button', 'Change e-mail address')
    await section(there).getByRole('link', { name: 'Log In' }).waitFor()
    expect(await there.valueOf('New Email')).toBe('typed@example.com')
  })

  test('a seller sees that letters about sales go to an unconfirmed address', async () => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { signedInAs: ana })
    await there.go('/your-listings')
    await there.sees('No listings found.')
    expect(await there.page.getByText('Letters about your sales').count()).toBe(0)
    await shop.list(ana, { name: 'Speckled mug' })
    await there.go('/your-listings')
    const note = there.page.getByText('Letters about your sales')
    expect(await note.textContent()).toContain(ana.user.email)
    await there.press('link', 'Confirm it')
    await there.arrives(PAGE)
    await shop.rows(`update users set email_confirmed_at = now() where id = ${ana.user.id}`)
    await there.go('/your-listings')
    await there.sees('Speckled mug')
    expect(await note.count()).toBe(0)
  })
})

test('a link without its token asks for the whole one', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/confirm-email')
  expect(await there.one('button', 'Confirm').count()).toBe(0)
  await there.press('link', 'Ask for another letter')
  await there.arrives(`/login?next=${encodeURIComponent(PAGE)}`)
})

test('every letter about an address has one link', async () => {
  const [ana, email] = [await signUp(), other()]
  await linkAt(ana.user.email)
  await ana.post('/api/auth/confirmations')
  await linkAt(ana.user.email, 2)
  await ana.post('/api/auth/email', { email, current_password: ana.password })
  const link = await linkAt(email)
  await linkAt(ana.user.email, 3)
  const token = new URLSearchParams(link.split('?')[1]).get('token')
  expect((await shop.visitor().post('/api/auth/confirm-email', { token })).status).toBe(200)
  await linkAt(ana.user.email, 4)
  const { page } = await visit(shop, 'with scripts')
  for (const { html } of mail.letters.filter(({ recipients }) =>
    [ana.user.email, email].includes(recipients[0] ?? ''),
  )) {
    await page.setContent(String(html))
    expect(await page.getByRole('link').count()).toBe(1)
  }
})
