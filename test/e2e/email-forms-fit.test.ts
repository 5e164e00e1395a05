import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers } from '../support/browser/axe.ts'
import { visit } from '../support/browser/steps.ts'
import { type MailServer, openMailServer } from '../support/mail-server.ts'
import { newcomer } from '../support/person.ts'
import { openShop, type TestShop } from '../support/shop.ts'

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

test.each([
  ['light', 320],
  ['dark', 320],
  ['light', 1280],
  ['dark', 1280],
] as const)('the forms of the address have no barriers and fit, %s at %i pixels', async (theme, width) => {
  const ana = await shop.signUp('ana')
  await shop.list(ana)
  await shop.rows(
    `update users set email = '${'long'.repeat(30)}-${newcomer('new').email}' where id = ${ana.user.id}`,
  )
  const there = await visit(shop, 'with scripts', {
    signedInAs: ana,
    theme,
    width,
    expects: [/status of 400/],
  })
  const looked = async () => {
    expect(await barriers(there.page)).toEqual([])
    const { scrolls, fits } = await there.page.evaluate(() => ({
      scrolls: document.documentElement.scrollWidth,
      fits: document.documentElement.clientWidth,
    }))
    expect(scrolls).toBeLessThanOrEqual(fits)
  }
  await there.go('/your-listings')
  await looked()
  await there.go('/settings/account')
  await looked()
  await there.fill('New Email', `${'another'.repeat(25)}@example.com`)
  await there.press('button', 'Change e-mail address')
  await there.describes('Current Password', 'Current password is required')
  await looked()
  await there.fill('Current Password', ana.password)
  await there.press('button', 'Change e-mail address')
  await there.one('button', 'Cancel this change').waitFor()
  await looked()
  await there.go('/confirm-email?token=x')
  await looked()
  await there.press('button', 'Confirm')
  await there.one('link', 'Ask for another letter').waitFor()
  await looked()
})
