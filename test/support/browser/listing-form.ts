import type { Locator } from 'playwright-core'
import type { RequiredFields } from '#products/contract.ts'
import { labels } from '../listings.ts'
import type { Person, TestShop } from '../shop.ts'
import { type Visit, visit } from './steps.ts'

type Field = keyof RequiredFields

/** Fills the fields of the listing form that are named. */
export async function fillListing(
  there: Visit,
  input: Partial<Record<Field, string | number>>,
): Promise<void> {
  for (const [field, value] of Object.entries(input)) {
    const label = labels[field as Field]
    await (field === 'category' ? there.choose(label, String(value)) : there.fill(label, String(value)))
  }
}

/** A bowl, without its name. */
export const bowl = {
  category: 'Home & Living',
  description: 'Turned from\nwalnut.',
  price: '12.5',
  stock: '2',
}

/** Fills the listing form with the bowl under a name. */
export const describeBowl = (there: Visit, name: string): Promise<void> =>
  fillListing(there, { ...bowl, name })

/** Opens a form of a seller: for a new listing, or at another path. */
export async function openListingForm(
  shop: TestShop,
  seller: Person,
  path = '/products/new',
  expects: RegExp[] = [],
): Promise<Visit> {
  const there = await visit(shop, 'with scripts', { signedInAs: seller, expects })
  await there.go(path)
  return there
}

/** The preview of the chosen photo. */
export const thumbnailOf = (there: Visit): Locator => there.page.locator('.drop-zone .thumbnail')

/** The value of every field of the listing form. */
export async function listingIn(there: Visit): Promise<Record<Field, string>> {
  const fields = Object.entries(labels).map(async ([field, label]) => [field, await there.valueOf(label)])
  return Object.fromEntries(await Promise.all(fields))
}

/** Opens a group of the listing form. */
export async function openGroup(there: Visit, title: string): Promise<void> {
  const group = there.page
    .locator('details.group')
    .filter({ has: there.page.getByText(title, { exact: true }) })
  if (!(await group.evaluate(element => (element as HTMLDetailsElement).open)))
    await there.pressThis(group.locator('summary'))
}
