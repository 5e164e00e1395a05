import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, visit } from '../support/browser/steps.ts'
import { aShopPage } from '../support/fixtures.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Somebody who sells a mug, and somebody who may ask about it. */
async function open() {
  const [mila, ana] = [await shop.signUp('mila'), await shop.signUp('ana')]
  const { id } = await shop.list(mila, { name: 'Speckled mug' })
  return { mila, ana, id }
}

inEachMode(mode => {
  test('somebody asks a maker, who answers, and stops the messages', async () => {
    const { mila, ana, id } = await open()
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of (400|409)/] })
    await there.go(`/products/${id}`)
    await there.press('link', 'Ask the maker')
    await there.heading(`Write to ${mila.user.username}`)
    const label = `Write to ${mila.user.username}`
    await there.press('button', 'Send message')
    await there.describes(label, 'Write something first')
    await there.fill(label, 'Is it blue?')
    await there.press('button', 'Send message')
    await there.heading(mila.user.username)
    await there.sees('Is it blue?')
    await there.sees('Sent')
    if (there.scripted) await expectOpen(there.page)
    await there.arrives(there.path.replace(/\?.*/, ''))

    const hers = await visit(shop, mode, { signedInAs: mila })
    await hers.go('/messages')
    await hers.sees('1 conversation is new')
    await hers.press('link', ana.user.username)
    await hers.heading(ana.user.username)
    await hers.page.getByRole('log').getByText('New', { exact: true }).waitFor()
    if (!hers.scripted) await hers.press('button', 'Mark as read')
    await eventually(async () => (await mila.get('/api/messages/')).body.unread).toBe(0)
    await hers.fill(`Write to ${ana.user.username}`, 'It is.')
    await hers.press('button', 'Send message')
    await hers.sees('Sent')
    await hers.sees('It is.')
    await eventually(() => hers.valueOf(`Write to ${ana.user.username}`)).toBe('')
    expect(await hers.page.getByText('Write something first').count()).toBe(0)

    await there.go('/messages')
    await there.press('link', mila.user.username)
    // The list has the same heading and text.
    await there.sees('All your messages')
    await there.sees('It is.')
    await hers.press('button', 'Stop messages')
    await hers.sees('You have stopped these messages. Neither of you can write, until you allow them again.')
    await there.fill(label, 'Thank you')
    await there.press('button', 'Send message')
    await there.sees('The other side has stopped these messages, so nothing was sent')
    expect(await there.valueOf(label)).toBe('Thank you')
    await there.go('/messages')
    await there.press('link', mila.user.username)
    await there.sees(`${mila.user.username} has stopped these messages, so you cannot write here.`)
    if (there.scripted) await expectFits(there.page)
    await hers.press('button', 'Allow messages again')
    await hers.one('button', 'Stop messages').waitFor()
    // Another question goes to the conversation that there is, and names another piece.
    await there.go(`/products/${id}`)
    await there.press('link', 'Ask the maker')
    await there.heading(mila.user.username)
    await there.sees('It is.')
    expect(await there.valueOf(label)).toBe('')
    await there.go(`/products/${(await shop.list(mila, { name: 'Deep bowl' })).id}`)
    await there.press('link', 'Ask the maker')
    await there.heading(mila.user.username)
    expect(await there.valueOf(label)).toBe('About Deep bowl: ')
    await there.fill(label, 'About Deep bowl: is it deep?')
    await there.press('button', 'Send message')
    await there.sees('About Deep bowl: is it deep?')
    expect(await there.valueOf(label)).toBe('')
  })

  test('a visitor logs in, and comes back to write to the maker', async () => {
    const { mila, ana } = await open()
    const there = await visit(shop, mode)
    await there.go(`/shops/${mila.user.username}`)
    await there.press('link', `Write to ${mila.user.username}`)
    await there.heading('Log In')
    await there.fill('Email', ana.user.email)
    await there.fill('Password', ana.password)
    await there.page.locator('main').getByRole('button', { name: 'Log In', exact: true }).click()
    await there.heading(`Write to ${mila.user.username}`)
  })

  test('a maker who logs in over the link of their own piece comes back to it', async () => {
    const { mila, id } = await open()
    const hers = await visit(shop, mode, { expects: [/status of (401|409)/] })
    await hers.go(`/products/${id}`)
    await hers.press('link', 'Ask the maker')
    await hers.heading('Log In')
    await hers.fill('Email', mila.user.email)
    await hers.fill('Password', mila.password)
    await hers.page.locator('main').getByRole('button', { name: 'Log In', exact: true }).click()
    await hers.arrives(`/products/${id}`)
    await hers.heading('Speckled mug')
  })
})

test('a maker turns messages off, and their pages ask nobody to write', async () => {
  const { mila, ana, id } = await open()
  for (const mode of ['with scripts', 'without scripts'] as const) {
    await mila.put(`/api/shops/${mila.user.username}/page`, { ...aShopPage, takes_messages: true })
    const hers = await visit(shop, mode, { signedInAs: mila })
    await hers.go('/settings/policies')
    await hers.page.getByLabel('People can write to me here').uncheck()
    await hers.press('button', 'Save')
    await hers.sees('Saved')
    expect((await ana.get(`/api/shops/${mila.user.username}`)).body.takes_messages).toBe(false)
    expect(await hers.page.getByLabel('People can write to me here').isChecked()).toBe(false)
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 409/] })
    await there.go(`/products/${id}`)
    await there.heading('Speckled mug')
    expect(await there.one('link', 'Ask the maker').count()).toBe(0)
    // Who is writing at that moment keeps the words.
    await mila.put(`/api/shops/${mila.user.username}/page`, { ...aShopPage, takes_messages: true })
    await there.go(`/messages/to/${mila.user.username}`)
    const words = there.page.getByLabel(/^Write to/)
    await words.fill('Is it blue?')
    await mila.put(`/api/shops/${mila.user.username}/page`, { ...aShopPage, takes_messages: false })
    await there.press('button', 'Send message')
    await there.page.getByRole('alert').getByText('This maker takes no messages here').waitFor()
    expect(await words.inputValue()).toBe('Is it blue?')
    await there.go(`/messages/to/${mila.user.username}`)
    await there.page
      .getByText(/takes no messages here/)
      .first()
      .waitFor()
  }
})
