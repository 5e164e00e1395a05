import { afterAll, beforeAll, expect, test } from 'vitest'
import { inEachMode, visit } from '../support/browser/steps.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const isIn = async (person: Person) => (await person.get('/api/auth/')).status === 200
const page = '/settings/account/delete'

inEachMode(mode => {
  test('an account is deleted: lists what is deleted and retained, then password and confirmation', async () => {
    const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
    const mug = await shop.list(ana)
    await shop.list(ben)
    await ben.post(`/api/reviews/${mug.id}/create-review`, { review: 'Lovely glaze.', stars: 4 })
    const there = await visit(shop, mode, { signedInAs: ben, expects: [/status of 400/] })
    await there.go('/settings/account')
    await there.press('link', 'Delete your account')
    await there.arrives(page)
    await there.page.getByText('This cannot be undone.').waitFor()
    await there.page.getByText('1 listing').waitFor()
    await there.press('button', 'Delete my account')
    await there.sees('Password is required')
    await there.sees('Please confirm that your account is to be deleted for good')
    await there.fill('Your Password', 'not-it')
    await there.page.getByLabel('Yes, delete my account for good').check()
    await there.press('button', 'Delete my account')
    await there.describes('Your Password', 'The current password is not correct')
    await there.fill('Your Password', ben.password)
    await there.page.getByLabel('Yes, delete my account for good').check()
    await there.press('button', 'Delete my account')
    await there.page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
    expect(await isIn(ben)).toBe(false)
    await there.openMenu()
    await there.sees('Log In')
    await there.go(`/products/${mug.id}`)
    await there.page.getByText('Deleted account').first().waitFor()
    await there.sees('Lovely glaze.')
  })

  test('running orders are named with links, and the form comes when they are settled', async () => {
    const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
    const mug = await shop.list(ana, { name: 'Blue mug' })
    await ben.post(`/api/cart_items/add/${mug.id}`, { quantity: 1 })
    const { id } = (await ben.post('/api/orders/checkout')).body
    const there = await visit(shop, mode, { signedInAs: ben })
    await there.go(page)
    await there.sees('These orders come first')
    await there.missing('Your Password')
    expect(await there.page.getByRole('link', { name: 'Blue mug' }).getAttribute('href')).toBe(
      `/products/${mug.id}`,
    )
    await there.press('link', `Cancel order ${id}`)
    await there.press('button', 'Yes')
    await there.arrives('/orders/view')
    await there.go(page)
    await there.page.getByLabel('Your Password').waitFor()
  })
})

inEachMode(mode => {
  test('names are changed, with messages under the fields, and the old address leads on', async () => {
    const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
    await shop.list(ana)
    const there = await visit(shop, mode, { signedInAs: ana, expects: [/status of 400/] })
    await there.go('/settings')
    await there.press('link', 'Your account')
    await there.arrives('/settings/account')
    expect(await there.valueOf('Username')).toBe(ana.user.username)
    await there.fill('First Name', 'Al')
    await there.press('button', 'Save')
    await there.describes('First Name', 'First name must be between 3 and 30 characters')
    await there.fill('First Name', 'Alberta')
    await there.fill('Username', ben.user.username)
    await there.press('button', 'Save')
    await there.describes('Username', 'Username is already in use')
    expect(await there.valueOf('First Name')).toBe('Alberta')
    const username = `new-${ana.user.username}`.slice(0, 30)
    await there.fill('Username', username)
    await there.press('button', 'Save')
    await there.page.getByRole('status').getByText('Saved').waitFor()
    expect(await there.valueOf('Username')).toBe(username)
    await there.go(`/shops/${ana.user.username}`)
    await there.arrives(`/shops/${username}`)
    await there.one('heading', username).waitFor()
  })
})

test('the account page belongs to who is logged in: a visitor logs in first', async () => {
  const there = await visit(shop, 'with scripts')
  await there.go(page)
  await there.arrives(`/login?next=${encodeURIComponent(page)}`)
})
