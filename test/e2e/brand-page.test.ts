import { afterAll, beforeAll, expect, test } from 'vitest'
import { brandInput } from '../support/brand.ts'
import { barriers } from '../support/browser/axe.ts'
import { expectFits } from '../support/browser/looks.ts'
import { brokenPicture, inEachMode, picture, visit } from '../support/browser/steps.ts'
import { openOperator } from '../support/operators.ts'
import { openShop, type TestShop } from '../support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

inEachMode(mode => {
  test('of two operators the second sees what the first has saved, and what they typed stays', async () => {
    const [otto, olga] = [await openOperator(shop), await openOperator(shop, 'olga')]
    await olga.put('/api/operate/brand', brandInput)
    const there = await visit(shop, mode, { signedInAs: otto, expects: [/status of (400|409)/] })
    await there.go('/operate/brand')
    await there.fill('Tagline', 'Baked in one kiln')
    await olga.put('/api/operate/brand', { ...brandInput, name: 'Kiln & Sons', tagline: 'Of clay' })
    await there.fill('Reason', 'The meeting')
    await there.fill('Name', '')
    await there.press('button', 'Save')
    await there.describes('Name', 'Name is required')
    await there.fill('Name', 'Harbour & Sons')
    await there.press('button', 'Save')
    await there.sees(
      'Somebody else has saved name and look meanwhile. What you typed is still here: compare it, then save again',
    )
    await there.sees('Name, as it is saved: Kiln & Sons')
    await there.sees('Tagline, as it is saved: Of clay')
    expect(await there.valueOf('Tagline')).toBe('Baked in one kiln')
    expect((await otto.get('/api/operate/brand')).body).toMatchObject({
      name: 'Kiln & Sons',
      tagline: 'Of clay',
    })
    if (there.scripted) {
      expect(await barriers(there.page)).toEqual([])
      await expectFits(there.page)
    }
    await there.fill('Name', 'Kiln & Sons')
    await there.press('button', 'Save')
    await there.sees('Saved. Everybody sees it now')
    expect((await otto.get('/api/operate/brand')).body).toMatchObject({
      name: 'Kiln & Sons',
      tagline: 'Baked in one kiln',
    })
  })

  test('a refused picture says that the words are saved, and the next one is taken', async () => {
    const otto = await openOperator(shop)
    const there = await visit(shop, mode, { signedInAs: otto, expects: [/status of 400/] })
    await there.go('/operate/brand')
    const tagline = `From one kiln, ${mode}`
    await there.fill('Tagline', tagline)
    await there.fill('Reason', 'The meeting')
    await there.pick('Logo', brokenPicture)
    await there.press('button', 'Save')
    await there.sees('Name and words are saved, but not every picture:')
    expect((await otto.get('/api/operate/brand')).body).toMatchObject({ tagline })
    await there.pick('Logo', await picture())
    await there.press('button', 'Save')
    await there.sees('Saved. Everybody sees it now')
    expect((await otto.get('/api/operate/brand')).body.logo).toBeTruthy()
  })
})
