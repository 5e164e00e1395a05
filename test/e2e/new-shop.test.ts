import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { brandInput } from '../support/brand.ts'
import { barriers } from '../support/browser/axe.ts'
import { bowl, fillListing } from '../support/browser/listing-form.ts'
import { fillIn } from '../support/browser/login-steps.ts'
import { expectFits } from '../support/browser/looks.ts'
import { inEachMode, picture, type Visit, visit } from '../support/browser/steps.ts'
import { soon } from '../support/expect.ts'
import { launchShop, type RealShop } from '../support/harness.ts'
import { openOperator } from '../support/operators.ts'
import { PASSWORD } from '../support/person.ts'
import { openShop } from '../support/shop.ts'

/** A shop in an empty folder, without the demo. */
async function openNewShop(): Promise<RealShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'thrum-new-'))
  // As root, the database server runs as another account, which must be able to enter.
  await chmod(dataDir, 0o755)
  const shop = await launchShop(dataDir, { DEMO: 'off', HOST: '127.0.0.1', LIMITS: 'off' })
  onTestFinished(async () => {
    if (shop.alive()) await shop.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return shop
}

/** The letters to this address, which wait in the folder of the shop. */
async function lettersTo(address: string, dataDir: string): Promise<string> {
  const folder = join(dataDir, 'mail')
  const letters = await Promise.all((await readdir(folder)).map(name => readFile(join(folder, name), 'utf8')))
  return letters.filter(letter => letter.includes(`To: ${address}`)).join('\n')
}

const inMain = (there: Visit, role: 'link' | 'button', name: string) =>
  there.pressThis(there.page.getByRole('main').getByRole(role, { name, exact: true }))

async function signUp(there: Visit, first: string): Promise<void> {
  await fillIn(there, {
    Email: `${first.toLowerCase()}@example.com`,
    'First Name': first,
    'Last Name': 'Perlmutt',
    Username: `${first.toLowerCase()}_p`,
    Password: PASSWORD,
    'Confirm Password': PASSWORD,
  })
  await inMain(there, 'button', 'Sign Up')
}

inEachMode(mode => {
  test('from an empty folder to the first sale by somebody else', { timeout: 240_000 }, async () => {
    const shop = await openNewShop()
    await expect.poll(() => shop.log, soon).toContain('Nobody runs this shop yet')
    const [, link = ''] =
      /Nobody runs this shop yet\. To set it up, open \S+(\/setup\/\S+)/.exec(shop.log) ?? []
    const olga = await visit(shop, mode, { expects: [/status of 40[013]/] })
    await olga.go(link)
    await olga.heading('Set up this shop')
    await inMain(olga, 'link', 'Sign Up')
    await signUp(olga, 'Olga')
    await olga.arrives(link)
    await olga.press('button', 'I run this shop')
    await olga.arrives('/operate/confirm?next=%2Foperate%2Fsetup')
    await olga.fill('Your password', PASSWORD)
    await olga.press('button', 'Confirm')
    await olga.arrives('/operate/setup')
    await olga.heading('Set up the shop')

    await olga.press('link', 'Choose name and look')
    await olga.arrives('/operate/brand')
    await fillIn(olga, {
      Name: 'Harbour Makers',
      'Short name': 'Harbour',
      Tagline: 'Made around one harbour',
      Description: 'A co-operative of forty people.',
      'Name of person 1': 'Olga Perlmutt',
    })
    await olga.field('Buttons and links, light').fill('#8fc0d8')
    await olga.press('button', 'Save')
    await olga.describes(
      'Buttons and links, light',
      'Links are hard to read in this colour: 1.8 to 1, and 4.5 is needed',
    )
    expect(await olga.valueOf('Name')).toBe('Harbour Makers')
    await olga.field('Buttons and links, light').fill('#12587c')
    await olga.pick('Logo', await picture('logo.png'))
    await olga.pick('Picture', await picture('harbour.png'))
    await olga.fill('Caption', 'The harbour in the morning')
    await olga.press('button', 'Save')
    await olga.sees('Saved. Everybody sees it now')
    await olga.one('link', 'Harbour Makers, home').waitFor()

    await olga.press('link', 'Setup')
    await olga.press('link', 'Choose who may sell')
    await olga.page.getByLabel('Whoever has a link from an operator', { exact: true }).check()
    await olga.fill('Reason', 'We know one another')
    await olga.press('button', 'Save')
    await olga.sees('Saved')
    await olga.press('link', 'Setup')
    await olga.press('button', 'Send me a letter')
    await olga.sees('A letter is on its way to you')
    await olga.press('link', 'Setup')
    await olga.press('link', 'Write the pages')
    await inMain(olga, 'link', 'About us')
    await olga.fill('Text', 'We are forty people.')
    await olga.press('button', 'Publish')
    await olga.sees('The page is published')
    await olga.press('link', 'Setup')
    await olga.sees('1 of 6 are published. There are drafts to begin with.')
    await olga.press('button', 'End the setup')
    await olga.sees('The setup has ended. Welcome to your shop')
    await olga.press('link', 'New makers')
    await olga.fill('For whom', 'Mila')
    await olga.press('button', 'Make a link')
    await olga.sees('Here is the link. It is shown this once')
    const once = olga.page.locator('a[href^="/sell?invitation="]')
    const invitation = (await once.getAttribute('href')) ?? ''
    // With scripts the whole address, to be sent to somebody.
    if (olga.scripted) expect(await once.textContent()).toMatch(/^http:\/\/[^/]+\/sell\?invitation=/)

    const mila = await visit(shop, mode, { expects: [/status of 40[01]/] })
    await mila.go(invitation)
    await inMain(mila, 'link', 'Sign Up')
    await signUp(mila, 'Mila')
    await mila.arrives(invitation)
    await mila.press('button', 'Accept the invitation')
    await mila.sees('You may sell here. Welcome')
    await mila.press('link', 'Add a listing')
    await mila.arrives('/products/new')
    await fillListing(mila, { ...bowl, name: 'Walnut bowl' })
    await mila.pick('Photos and video', await picture('bowl.png'))
    await mila.press('button', 'Add a listing')
    await mila.arrives('/your-listings')
    await mila.sees('Saved. Your new piece is on top')

    const ben = await visit(shop, mode, { expects: [/status of 4(0[01]|10)/] })
    await ben.go('/')
    await ben.heading('Welcome to Harbour Makers')
    await ben.sees('The harbour in the morning')
    await ben.one('link', 'About us').waitFor()
    await ben.go('/signup')
    await signUp(ben, 'Benno')
    await ben.arrives('/')
    await ben.pressThis(ben.page.getByRole('link', { name: 'Walnut bowl' }).first())
    await ben.heading('Walnut bowl')
    await ben.press('button', 'Add to cart')
    await ben.sees('Item added to cart!')
    await ben.openCart()
    await ben.press('button', 'Proceed to checkout')
    await ben.dialog('Review Your Order')
    await ben.press('button', 'Yes (place order)')
    await ben.arrives('/orders/view')
    await ben.sees('Quantity: 1')

    await mila.go('/sold')
    await mila.page.getByText('Walnut bowl').first().waitFor()
    expect((await shop.rows('select count(*)::int as orders from orders'))[0]).toEqual({ orders: 1 })
    // Mark, manifest and letters follow. Without a mail server, letters are files.
    const manifest = await ben.page.request.get('/manifest.webmanifest')
    expect(await manifest.json()).toMatchObject({ name: 'Harbour Makers', short_name: 'Harbour' })
    await expect
      .poll(() => lettersTo('mila@example.com', shop.dataDir), soon)
      .toMatch(/From: "?Harbour Makers/)
    // The link of the log opens nothing any more.
    await ben.go(link)
    await ben.press('button', 'I run this shop')
    await ben.sees(
      'This link is not valid, or somebody runs this shop already. Start the shop again for a new one',
    )
  })
})

test('the pages of the setup are without barriers, in both schemes and other colours, and fit a small phone', async () => {
  const shop = await openShop()
  onTestFinished(() => shop.close())
  const otto = await openOperator(shop)
  for (const changed of [false, true]) {
    if (changed) await otto.put('/api/operate/brand', brandInput)
    for (const theme of ['light', 'dark'] as const) {
      for (const [person, paths] of [
        [otto, ['/operate/brand', '/operate/setup', '/']],
        [undefined, ['/setup/x']],
      ] as const) {
        const there = await visit(shop, 'with scripts', {
          signedInAs: person,
          theme,
          width: 320,
          expects: [/401/],
        })
        for (const path of paths) {
          await there.go(path)
          expect(await barriers(there.page), `${path} ${theme} ${changed}`).toEqual([])
          await expectFits(there.page)
        }
      }
    }
  }
})
