import type { Locator } from 'playwright-core'
import { addAddress, addProfile, sendBy } from '../postage.ts'
import type { Person, TestShop } from '../shop.ts'
import type { Visit } from './steps.ts'

/** A shopper with two addresses, and a mug, a bowl and a scarf of three makers in the cart. */
export async function cartOfThreeMakers(shop: TestShop) {
  const [ana, mia, zoe] = [await shop.signUp('ana'), await shop.signUp('mia'), await shop.signUp('zoe')]
  const ben = await shop.signUp('ben')
  const mug = await shop.list(ana, { name: 'Speckled mug', price: 20, stock: 9 })
  const bowl = await shop.list(mia, { name: 'Ash bowl', price: 35, stock: 9 })
  const scarf = await shop.list(zoe, { name: 'Long scarf', price: 48, stock: 9 })
  const parcel = { rates: { EU: [450, 150] } as Record<string, [number, number]> }
  const places = { Studio: 'Mon to Fri, 9 to 17', 'Saturday market': 'Stall 12, 8 to 13' }
  await sendBy(shop.db, (await addProfile(shop.db, ana, { ...parcel, places })).id, mug.id)
  await sendBy(shop.db, (await addProfile(shop.db, mia, parcel)).id, bowl.id)
  const home = await addAddress(shop.db, ben)
  const abroad = await addAddress(shop.db, ben, { line1: '12 Elm Street', city: 'Boston', country: 'US' })
  for (const { id } of [mug, bowl, scarf]) await ben.post(`/api/cart_items/add/${id}`, { quantity: 1 })
  return { ana, mia, zoe, ben, home, abroad, labels: labelsOf(ben.name) }
}
const labelsOf = (name: string) => ({
  home: `${name}, Calle Mayor 1, Madrid, Spain`,
  abroad: `${name}, 12 Elm Street, Boston, United States`,
})

export const partsOf = async (person: Person) => (await person.get('/api/checkout/')).body.parts
export const radio = (there: Visit, name: RegExp): Locator => there.page.getByRole('radio', { name })
/** Opens the note to a maker, and writes it. */
export async function writeNote(there: Visit, person: Person, text: string): Promise<void> {
  const { username } = person.user
  const summary = there.page.getByText(`Add a note to ${username}`)
  if (there.mode === 'by keyboard') {
    await there.tabTo(summary)
    await there.page.keyboard.press('Enter')
  } else await summary.click()
  await there.fill(`Note to ${username}`, text)
  // A mouse would leave the field; the methods of the browser do not.
  if (there.mode === 'with scripts') await there.field(`Note to ${username}`).blur()
}
