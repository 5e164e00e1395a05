import { afterAll, beforeAll, expect, test } from 'vitest'
import { SAVED_MEANWHILE, TITLES } from '#pages/contract.ts'
import { drafts } from '#pages/drafts.ts'
import { blanksOf } from '#pages/markdown.ts'
import { SETTINGS_CHANGED } from '#site/contract.ts'
import { brandInput } from '../support/brand.ts'
import { barriers } from '../support/browser/axe.ts'
import { expectFits } from '../support/browser/looks.ts'
import { inEachMode, signIn, type Visit, visit } from '../support/browser/steps.ts'
import { openOperator } from '../support/operators.ts'
import { PASSWORD } from '../support/person.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const EDITOR = '/operate/pages/about'
const slugs = { 'with scripts': 'contact', 'without scripts': 'privacy', 'by keyboard': 'imprint' } as const
const textOf = (there: Visit) => there.page.getByLabel('Text', { exact: true }).inputValue()

inEachMode(mode => {
  test('an operator writes a page, looks at it, publishes it, changes it, and takes it back', async () => {
    const slug = slugs[mode]
    const title = TITLES[slug]
    const otto = await visit(shop, mode, {
      signedInAs: await openOperator(shop),
      expects: [/status of 409/],
    })
    await otto.go('/operate')
    await otto.press('link', 'Pages')
    await otto.arrives('/operate/pages')
    await otto.pressThis(otto.page.locator('main').getByRole('link', { name: title, exact: true }))
    await otto.arrives(`/operate/pages/${slug}`)
    await otto.press('button', 'Publish')
    await otto.sees(`Please fill in what is in brackets first: ${blanksOf(drafts[slug])[0]}`)
    await otto.fill('Text', '## Who we are\n\nWe *knit* in Graz. <b>Really</b>')
    await otto.press('button', 'Preview')
    await otto.one('heading', 'Who we are').waitFor()
    expect(await otto.page.locator('.written em').textContent()).toBe('knit')
    expect(await textOf(otto)).toContain('We *knit* in Graz.')
    await otto.press('button', 'Publish')
    await otto.sees('The page is published')

    const visitor = await visit(shop, mode)
    await visitor.go('/')
    await visitor.press('link', title)
    await visitor.arrives(`/${slug}`)
    expect(await visitor.page.locator('.written').textContent()).toContain('We knit in Graz. <b>Really</b>')

    await otto.fill('Text', 'We weave.')
    await otto.press('button', 'Save the draft')
    await otto.sees('The draft is saved')
    await visitor.go(`/${slug}`)
    expect(await visitor.page.locator('.written').textContent()).toContain('We knit')
    // The version before the newest.
    await otto.pressThis(otto.page.getByRole('link', { name: /^Version / }).nth(1))
    await otto.page.waitForURL(/\?version=\d+$/)
    await expect.poll(() => textOf(otto)).toContain('We *knit*')
    await otto.fill('Text', 'We spin.')
    await otto.fill('Reason', 'It is old')
    await otto.press('button', 'Take back')
    await otto.sees('The page is taken back. Its text stays here as a draft')
    await expect.poll(() => textOf(otto)).toBe('We spin.')
    await visitor.go('/')
    expect(await visitor.page.getByRole('link', { name: title }).count()).toBe(0)
  })

  test('what was typed stays when somebody else has saved meanwhile, and is saved the second time', async () => {
    const olga = await openOperator(shop, 'olga')
    const otto = await visit(shop, mode, {
      signedInAs: await openOperator(shop),
      expects: [/status of 409/],
    })
    await otto.go(EDITOR)
    await otto.fill('Text', 'Mine')
    const { base } = (await olga.get(`/api${EDITOR}`)).body
    await olga.post(`/api${EDITOR}/versions`, { text: 'Theirs', base })
    // A look at it does not count as having seen theirs.
    await otto.press('button', 'Preview')
    await otto.one('heading', 'Preview').waitFor()
    await otto.press('button', 'Save the draft')
    await otto.sees(SAVED_MEANWHILE)
    expect(await textOf(otto)).toBe('Mine')
    await otto.press('button', 'Save the draft')
    await otto.sees('The draft is saved')
    expect((await olga.get(`/api${EDITOR}`)).body.text).toBe('Mine')
  })
})

test('data that is loaded again does not hide what another operator has saved', async () => {
  const olga = await openOperator(shop, 'olga')
  const there = await visit(shop, 'with scripts', {
    signedInAs: await openOperator(shop),
    expects: [/status of 409/],
  })
  const loadAgain = async () => {
    const loaded = there.page.waitForResponse('**/api/operate/**')
    await there.page.evaluate(() =>
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
    )
    await loaded
    await there.page.waitForLoadState('networkidle')
  }
  await there.go(EDITOR)
  await there.fill('Text', 'Mine')
  const { base } = (await olga.get(`/api${EDITOR}`)).body
  await olga.post(`/api${EDITOR}/versions`, { text: 'Theirs', base })
  await loadAgain()
  await there.press('button', 'Save the draft')
  await there.sees(SAVED_MEANWHILE)

  await olga.put('/api/operate/brand', brandInput)
  await there.go('/operate/brand')
  await there.fill('Tagline', 'Mine')
  await there.fill('Reason', 'The meeting')
  await olga.put('/api/operate/brand', { ...brandInput, tagline: 'Theirs' })
  await loadAgain()
  // Nor does a link to the page itself.
  await there.press('link', 'Name and look')
  await there.press('button', 'Save')
  await there.sees('Tagline, as it is saved: Theirs')

  await there.go('/operate/settings')
  await there.fill('Reason', 'Mine')
  const { version, ...settings } = (await olga.get('/api/operate/settings')).body
  const theirs = { product_safety_required: !settings.product_safety_required, reason: 'Theirs' }
  await olga.put('/api/operate/settings', { ...settings, ...theirs })
  await loadAgain()
  await there.press('button', 'Save')
  await there.sees(SETTINGS_CHANGED)
})

test('what was typed stays when the pages of operators have closed, and is saved after a new proof', async () => {
  const operator = await openOperator(shop)
  const there = await visit(shop, 'without scripts', { signedInAs: operator, expects: [/status of 403/] })
  await there.go(EDITOR)
  await there.fill('Text', 'Took a while')
  await shop.rows('update operator_sessions set expires_at = now()')
  await there.press('button', 'Save the draft')
  await there.sees('Please confirm that it is you')
  expect(await textOf(there)).toBe('Took a while')
  await operator.post('/api/operate/session', { current_password: PASSWORD })
  await signIn(there, operator)
  await there.press('button', 'Save the draft')
  await there.sees('The draft is saved')
  expect((await operator.get(`/api${EDITOR}`)).body.text).toBe('Took a while')
})

test('the editor and a page fit a narrow screen in both themes, without barriers', async () => {
  const operator = await openOperator(shop)
  const { base } = (await operator.get('/api/operate/pages/terms')).body
  const text = `# ${'long'.repeat(40)}\n\n1. a\n2. b\n\n> quoted\n\n\`\`\`\n${'code '.repeat(40)}\n\`\`\`\n\nPlease [search](/search) first.`
  const { id } = (await operator.post('/api/operate/pages/terms/versions', { text, base })).body
  await operator.post('/api/operate/pages/terms/publish', { version: id, reason: 'The meeting' })
  for (const theme of ['light', 'dark'] as const) {
    const there = await visit(shop, 'with scripts', { signedInAs: operator, theme, width: 320 })
    for (const path of ['/operate/pages', '/operate/pages/terms', '/terms']) {
      await there.go(path)
      await expectFits(there.page)
      expect([path, theme, await barriers(there.page)]).toEqual([path, theme, []])
    }
  }
})
