import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectFits, expectOpen } from '../support/browser/looks.ts'
import { eventually, inEachMode, visit } from '../support/browser/steps.ts'
import { itsDetails } from '../support/listings.ts'
import { openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const sectionsOf = async (person: Person): Promise<string[]> =>
  (await person.get('/api/sections/')).body.sections.map(({ name }: { name: string }) => name)

inEachMode(mode => {
  test('sections are added, named, ordered and removed', async () => {
    const ana = await shop.signUp('ana')
    const expects = [/status of (400|409)/]
    const there = await visit(shop, mode, { signedInAs: ana, expects })
    await there.go('/settings/sections')
    await there.press('button', 'Add the section')
    await there.describes('New section', 'Name is required')
    for (const name of ['Bowls', 'Mugs']) {
      await there.fill('New section', name)
      await there.press('button', 'Add the section')
      await there.one('heading', name).waitFor()
    }
    await there.fill('New section', 'Mugs')
    await there.press('button', 'Add the section')
    await there.describes('New section', 'You have a section called Mugs already')
    await there.press('button', 'Move up: Mugs')
    await there.sees('Order saved')
    expect(await sectionsOf(ana)).toEqual(['Mugs', 'Bowls'])

    const item = there.page.getByRole('listitem').filter({ has: there.one('heading', 'Mugs') })
    await there.pressThis(item.locator('summary'))
    const name = item.getByLabel('Name', { exact: true })
    if (mode === 'by keyboard') await there.tabTo(name)
    await name.fill('Bowls')
    await there.pressThis(item.getByRole('button', { name: 'Save the name' }))
    await there.sees('You have a section called Bowls already')
    await name.fill('Cups')
    await there.pressThis(item.getByRole('button', { name: 'Save the name' }))
    await there.sees('Name saved')
    await there.one('heading', 'Cups').waitFor()

    const cups = there.page.getByRole('listitem').filter({ has: there.one('heading', 'Cups') })
    await there.pressThis(cups.locator('summary'))
    await there.press('button', 'Remove the section Cups')
    await there.sees('Section removed')
    expect(await sectionsOf(ana)).toEqual(['Bowls'])
  })

  test('a piece is described at length, put into a section, and found by its tag', async () => {
    const ana = await shop.signUp('ana')
    const tag = `fired ${mode.length}`
    await ana.post('/api/sections/', { name: 'Mugs' })
    const { id } = await shop.list(ana, { name: 'Round mug' })
    const there = await visit(shop, mode, { signedInAs: ana })
    await there.go(`/products/${id}/edit`)
    for (const title of ['More about it', 'Size and weight', 'Section'])
      await there.pressThis(there.page.locator('summary').filter({ hasText: new RegExp(`^${title}$`) }))
    await there.fill('Title', itsDetails.title!)
    await there.fill('Story', itsDetails.story!)
    await there.fill('Tags', tag)
    await there.fill('Materials', 'Stoneware, ash glaze')
    await there.fill('Length (cm)', '12,5')
    await there.fill('Weight (g)', '340')
    await there.choose('Section of your shop', 'Mugs')
    await there.press('button', 'Update listing')
    await there.arrives('/your-listings')
    await there.go(`/shops/${ana.user.username}`)
    await there.press('link', 'Mugs 1')
    await there.sees('Round mug')
    await there.go(`/products/${id}/round-mug`)
    await there.sees(itsDetails.title!)
    await there.sees('length 12.5 cm')
    await there.press('link', tag)
    await there.arrives(`/search?q=${tag.replace(' ', '+')}`)
    await there.sees('Round mug')
  })
})

test('a mistake in a closed group opens it, and gets the focus', async () => {
  const ana = await shop.signUp('ana')
  const { id } = await shop.list(ana)
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  await there.go(`/products/${id}/edit`)
  const summary = there.page.locator('summary').filter({ hasText: 'Size and weight' })
  // Twice: closed again after the first attempt.
  for (const wrong of ['heavy', '0']) {
    if (!(await there.field('Weight (g)').isVisible())) await summary.click()
    await there.fill('Weight (g)', wrong)
    await summary.click()
    await eventually(() => there.field('Weight (g)').isVisible()).toBe(false)
    await there.press('button', 'Update listing')
    await there.describes('Weight (g)', 'Weight must be a whole number of grams from 1 to 1,000,000')
    await eventually(() =>
      there.field('Weight (g)').evaluate(field => field === document.activeElement),
    ).toBe(true)
  }
})

test('details and sections fit every screen, and have no barriers', async () => {
  const ana = await shop.signUp('ana')
  const section = (await ana.post('/api/sections/', { name: 'W'.repeat(24) })).body.id
  await ana.post('/api/sections/', { name: 'Mugs' })
  const long = { materials: ['M'.repeat(45)], tags: ['W'.repeat(20), 'tea'], title: 'W'.repeat(140) }
  const { id } = await shop.list(ana, { ...itsDetails, ...long, section_id: section })
  const there = await visit(shop, 'with scripts', { signedInAs: ana })
  for (const path of [
    `/products/${id}/edit`,
    `/products/${id}`,
    '/settings/sections',
    `/shops/${ana.user.username}?section=${section}`,
  ]) {
    await there.go(path)
    if (path.startsWith('/settings')) await there.page.locator('.own-sections summary').first().click()
    await expectFits(there.page)
    await expectOpen(there.page)
  }
})
