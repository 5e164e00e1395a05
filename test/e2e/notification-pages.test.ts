import { afterAll, beforeAll, expect, test } from 'vitest'
import { unsubscribePath } from '#platform/mail/unsubscribe.ts'
import { barriers } from '../support/browser/axe.ts'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, type Visit, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Somebody else orders a new listing of hers. @returns the id of the order */
async function sell(maker: Person): Promise<number> {
  const shopper = await shop.signUp('shopper')
  const { id } = await shop.list(maker)
  await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  return (await shopper.post('/api/orders/checkout')).body.id
}
const bell = (there: Visit) => there.page.getByRole('banner').getByRole('link', { name: /^Notifications, / })
const bellOf = (there: Visit) => bell(there).getAttribute('aria-label')
const unreadOf = async (person: Person) => (await person.get('/api/auth/session')).body.unread
const kindsOff = async (person: Person) =>
  (await person.get('/api/letters/')).body.letters
    .filter(({ on }: { on: boolean }) => !on)
    .map(({ kind }: { kind: string }) => kind)

inEachMode(mode => {
  test('a sale appears at the bell, and is read when its page is opened', async () => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { signedInAs: ana })
    await there.go('/')
    expect(await bellOf(there)).toBe('Notifications, 0 unread')
    const order = await sell(ana)
    await there.go('/')
    expect(await bellOf(there)).toBe('Notifications, 1 unread')
    await there.pressThis(bell(there))
    await there.arrives('/notifications')
    await there.sees(`You have sold Speckled mug: order ${order}`)
    await there.sees('New')
    // With scripts the page marks itself as read; without, a button does.
    if (!there.scripted) {
      expect(await unreadOf(ana)).toBe(1)
      await there.press('button', 'Mark all as read')
      await there.arrives('/notifications')
      await there.missing('New')
    } else expect(await there.one('button', 'Mark all as read').isVisible()).toBe(false)
    await eventually(() => bellOf(there)).toBe('Notifications, 0 unread')
    expect(await unreadOf(ana)).toBe(0)
    // While it is read, it stays marked.
    if (there.scripted) await there.sees('New')
    await there.go('/notifications')
    await there.press('link', `You have sold Speckled mug: order ${order}`)
    await there.arrives(`/sold/${order}`)
    await there.go('/notifications')
    await there.missing('New')
  })

  test('letters are chosen in the settings, which list those that are always sent', async () => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode, { signedInAs: ana })
    await there.go('/settings')
    await there.press('link', 'Letters')
    await there.arrives('/settings/letters')
    await there.page.getByText(`Letters go to ${ana.user.email}.`).waitFor()
    await there.heading('Always sent')
    const box = there.field('reviews of your pieces')
    const toggle = async () => {
      if (mode !== 'by keyboard') return box.click()
      await there.tabTo(box)
      await there.page.keyboard.press('Space')
    }
    for (const off of [['review'], []]) {
      await toggle()
      await there.press('button', 'Save')
      await there.page.getByRole('status').getByText('Saved').waitFor()
      expect(await kindsOff(ana)).toEqual(off)
      await there.go('/settings/letters')
      expect(await box.isChecked()).toBe(off.length === 0)
      expect(await there.field('answers to your reviews').isChecked()).toBe(true)
    }
  })

  test('the link of a letter switches such letters off with one button, without a login', async () => {
    const ana = await shop.signUp('ana')
    const there = await visit(shop, mode)
    await there.go(await unsubscribePath(shop.db, { recipient: ana.user.id, kind: 'reply' }))
    await there.sees('Do you want no more letters about answers to your reviews?')
    expect(await kindsOff(ana)).toEqual([])
    await there.press('button', 'Send me no more')
    await there.sees('You get no more letters about answers to your reviews.')
    await there.missing('Do you want no more letters about answers to your reviews?')
    expect(await kindsOff(ana)).toEqual(['reply'])
    if (there.scripted) {
      // The pressed button is gone.
      await eventually(() => there.page.evaluate(() => document.activeElement?.textContent)).toBe(
        'You get no more letters about answers to your reviews.',
      )
      expect(await barriers(there.page)).toEqual([])
    }
    await there.press('link', 'Settings, Letters')
    await there.arrives(`/login?next=${encodeURIComponent('/settings/letters')}`)
  })
})

test('further notifications are reached by a link', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana, { stock: 99 })
  const shopper = await shop.signUp('shopper')
  for (let n = 0; n < 25; n++) {
    await shopper.post(`/api/cart_items/add/${id}`, { quantity: 1 })
    expect((await shopper.post('/api/orders/checkout')).status).toBe(201)
  }
  const there = await visit(shop, 'without scripts', { signedInAs: ana })
  await there.go('/notifications')
  const items = there.page.getByRole('main').getByRole('listitem')
  expect(await items.count()).toBe(24)
  expect(await bellOf(there)).toBe('Notifications, 25 unread')
  await there.press('link', 'Next 24')
  await eventually(() => items.count()).toBe(1)
})

test('a page that is loaded in the background is read when it is seen', async () => {
  const ana = await shop.signUp('ana')
  await sell(ana)
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await there.page.addInitScript(() => {
    let state = 'hidden'
    Object.defineProperty(document, 'visibilityState', { get: () => state })
    addEventListener('show', () => {
      state = 'visible'
      document.dispatchEvent(new Event('visibilitychange'))
    })
  })
  await there.go('/notifications')
  await there.page.waitForLoadState('networkidle')
  expect(await unreadOf(ana)).toBe(1)
  await there.page.evaluate(() => dispatchEvent(new Event('show')))
  await eventually(() => unreadOf(ana)).toBe(0)
})

test('the header of a user has one row on a phone of any width', async () => {
  const there = await visit(shop, 'without scripts', { signedInAs: await shop.signUp('ana') })
  await there.go('/')
  const height = async (width: number) => {
    await there.page.setViewportSize({ width, height: 800 })
    return (await there.page.locator('.site-header').boundingBox())?.height
  }
  const name = async () => (await there.page.locator('.logo .short').boundingBox())?.height ?? 0
  const [one, line] = [await height(390), await name()]
  for (const width of [360, 320]) {
    expect([width, await height(width)]).toEqual([width, one])
    // The name is not broken.
    expect(await name()).toBeLessThanOrEqual(line)
  }
})

test('notifications and the choice of letters fit, and have no barriers', async () => {
  const ana = await shop.signUp('ana')
  await sell(ana)
  const { id } = await shop.list(ana, { name: 'An uncommonly-long-word-that-no-line-can-hold-pot' })
  await (await shop.signUp('ben')).post(`/api/reviews/${id}/create-review`, { review: 'Good.', stars: 4 })
  const link = await unsubscribePath(shop.db, { recipient: ana.user.id, kind: 'review' })
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  for (const path of ['/notifications', '/settings/letters', link]) {
    await there.go(path)
    await expectOpen(there.page)
    await expectFits(there.page)
  }
})
