import { afterAll, beforeAll, expect, test } from 'vitest'
import { RESET_ASKED, UNUSABLE_LINK } from '#accounts/contract.ts'
import { createLink, issueToken } from '#accounts/email-links.ts'
import { barriers } from '../support/browser/axe.ts'
import { inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { soon } from '../support/expect.ts'
import { type MailServer, openMailServer } from '../support/mail-server.ts'
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

const status = (there: Visit, words: string) => there.page.getByRole('status').getByText(words).waitFor()
const ASKED = `${RESET_ASKED}. The link in it works for an hour`
const WRONG = /status of 4(00|01|10)/

/** The path in the letter that somebody gets. */
async function linkTo({ user }: Person): Promise<string> {
  const letter = () => mail.letters.find(({ recipients }) => recipients[0] === user.email)
  await expect.poll(letter, soon).toBeDefined()
  return /http:\/\/shop\.example(\/reset-password\?token=[\w-]+)/.exec(letter()?.text ?? '')?.[1] ?? ''
}

/** A link as in a letter, without the wait. */
async function linkOf({ user }: Pick<Person, 'user'>): Promise<string> {
  const id = await createLink(shop.db, { userId: user.id, purpose: 'reset', email: user.email })
  return `/reset-password?token=${(await issueToken(shop.db, id, 60))?.token}`
}

async function fillPasswords(there: Visit, newPassword: string, repeated: string): Promise<void> {
  await there.fill('New Password', newPassword)
  await there.fill('Confirm New Password', repeated)
  await there.press('button', 'Set password')
}

inEachMode(mode => {
  test('somebody who has forgotten their password gets a letter, sets a new one, and logs in', async () => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { expects: [WRONG] })
    await there.go('/login')
    await there.press('link', 'Set a new one')
    await there.arrives('/forgot-password')
    await there.fill('Email', 'ana')
    await there.press('button', 'Send me a link')
    await there.describes('Email', 'Please provide a valid email')
    expect(await there.valueOf('Email')).toBe('ana')
    await there.fill('Email', ana.user.email)
    await there.press('button', 'Send me a link')
    await status(there, ASKED)

    const link = await linkTo(ana)
    expect(await there.go(link)).toBe(200)
    await fillPasswords(there, '12345', 'other')
    await there.describes('New Password', 'Password must be between 6 and 20 characters.')
    await there.describes(
      'Confirm New Password',
      'Confirm Password field must be the same as the Password field',
    )
    await fillPasswords(there, 'secret-2', 'secret-2')
    await there.arrives('/login')
    await status(there, 'Your new password is set. Log in with it')
    await there.fill('Email', ana.user.email)
    await there.fill('Password', 'secret-2')
    await there.press('button', 'Log In')
    await there.arrives('/')
    await there.openMenu()
    await there.sees(ana.user.username)

    // The same link again.
    expect(await there.go(link)).toBe(410)
    await there.page.getByRole('alert').getByText(`${UNUSABLE_LINK}.`).waitFor()
    await there.press('link', 'Ask for another link')
    await there.arrives('/forgot-password')
  })

  test('after a reset the page says what became of the passkeys', async () => {
    const { user } = await shop.signUp('ana')
    const there = await visit(shop, mode)
    for (const words of ['The passkeys of this account were removed', 'Your passkeys still log in too']) {
      await shop.rows(`insert into passkeys (user_id, name, credential_id, public_key, user_handle, backed_up)
        values (${user.id}, 'Laptop', '${words} ${user.id}', '', '', false)`)
      await there.go(await linkOf({ user }))
      await fillPasswords(there, 'secret-2', 'secret-2')
      await there.arrives('/login')
      await status(there, words)
    }
    await there.one('link', 'all of them').waitFor()
  })

  test('an address without an account gets the same words', async () => {
    const there = await visit(shop, mode)
    await there.go('/forgot-password')
    await there.fill('Email', 'nobody@example.com')
    await there.press('button', 'Send me a link')
    await status(there, ASKED)
  })

  test('a link that is used while its page is open is reported as used', async () => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { expects: [WRONG] })
    const link = await linkOf(ana)
    await there.go(link)
    const token = new URLSearchParams(link.split('?')[1]).get('token')
    await shop.visitor().post('/api/auth/reset-password', { token, new_password: 'secret-3' })
    await fillPasswords(there, 'secret-2', 'secret-2')
    await there.page.getByRole('alert').getByText(`${UNUSABLE_LINK}.`).waitFor()
    await there.one('link', 'Ask for another link').waitFor()
  })
})

test.each(['', '?token=', '?token=%00', `?token=${'x'.repeat(43)}`, `?token=${'x'.repeat(10_000)}`])(
  'a link with a broken token says that it cannot be used (%#)',
  async query => {
    const { status, body } = await shop.visitor().get(`/reset-password${query}`)
    expect(status).toBe(410)
    expect(body).toContain(UNUSABLE_LINK)
    expect(body).not.toContain('New Password')
  },
)

test('the login dialog leads there too, and Back returns to the page', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go('/search')
  await there.openMenu()
  await there.press('link', 'Log In')
  await there.dialog('Log In')
  await there.press('link', 'Set a new one')
  await there.arrives('/forgot-password')
  await there.one('dialog', 'Log In').waitFor({ state: 'hidden' })
  await there.page.goBack()
  await there.arrives('/search')
})

test('the page is the same for somebody who is logged in, whose session then ends', async () => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { signedInAs: ana, expects: [WRONG] })
  await there.go(await linkOf(ana))
  await fillPasswords(there, 'secret-2', 'secret-2')
  await there.arrives('/login')
  await status(there, 'Your new password is set. Log in with it')
  await there.openMenu()
  await there.one('link', 'Sign Up').first().waitFor()
  expect((await ana.get('/api/auth/')).status).toBe(401)
})

test.each(['with scripts', 'without scripts'] as const)(
  'no request names the address with the token, %s',
  async mode => {
    const ana = await shop.signUp('ana')
    const link = await linkOf(ana)
    const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
    const there = await visit(shop, mode, { expects: [WRONG] })
    const sources: Promise<string>[] = []
    there.page.on('request', request => {
      sources.push(request.allHeaders().then(({ referer = '' }) => referer))
    })
    await there.go(link)
    expect((await shop.visitor().get(link)).headers['referrer-policy']).toBe('strict-origin')
    expect((await shop.visitor().get('/login')).headers['referrer-policy']).toBe(
      'strict-origin-when-cross-origin',
    )
    await fillPasswords(there, 'secret-2', 'secret-2')
    await there.arrives('/login')
    const all = await Promise.all(sources)
    // The form and the files of the page name the shop.
    expect(all.filter(source => source === `${shop.address}/`).length).toBeGreaterThan(1)
    expect(all.filter(source => source.includes(token))).toEqual([])
  },
)

test('no cache answers for a link that was used', async () => {
  const ana = await shop.signUp('ana')
  const link = await linkOf(ana)
  const token = new URLSearchParams(link.split('?')[1]).get('token')
  for (let n = 0; n < 3; n++) {
    const { status, headers } = await shop.visitor().get(link)
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-cache'])
  }
  await shop.visitor().post('/api/auth/reset-password', { token, new_password: 'secret-2' })
  expect((await shop.visitor().get(link)).status).toBe(410)
})

test.each([
  ['light', 320],
  ['dark', 320],
  ['light', 1280],
  ['dark', 1280],
] as const)('both pages have no barriers and fit, %s at %i pixels', async (theme, width) => {
  const ana = await shop.signUp('ana')
  const there = await visit(shop, 'with scripts', { theme, width, expects: [WRONG] })
  const looked = async () => {
    expect(await barriers(there.page)).toEqual([])
    const { scrolls, fits } = await there.page.evaluate(() => ({
      scrolls: document.documentElement.scrollWidth,
      fits: document.documentElement.clientWidth,
    }))
    expect(scrolls).toBeLessThanOrEqual(fits)
  }
  await there.go('/forgot-password')
  await looked()
  await there.press('button', 'Send me a link')
  await there.describes('Email', 'Email is required')
  await looked()
  await there.fill('Email', 'nobody@example.com')
  await there.press('button', 'Send me a link')
  await status(there, ASKED)
  await looked()
  await there.go(await linkOf(ana))
  await looked()
  await fillPasswords(there, '1', '2')
  await there.describes('New Password', 'Password must be between 6 and 20 characters.')
  await looked()
  await there.go('/reset-password')
  await looked()
  for (const done of ['reset', 'stay', 'removed']) {
    await there.go(`/login?done=${done}`)
    await status(there, 'Your new password is set. Log in with it')
    await looked()
  }
})
