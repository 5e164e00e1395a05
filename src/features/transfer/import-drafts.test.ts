import { afterAll, beforeAll, expect, test } from 'vitest'
import { cells, HEADER } from '../../../test/support/etsy-files.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { importDrafts } from './import-drafts.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const row = (changed: Record<string, string>) =>
  cells(changed)
    .map(cell => `"${cell.replaceAll('"', '""')}"`)
    .join(',')
/** Imports a file with these rows. @returns the outcome of each */
async function importRows(person: Person, ...rows: Record<string, string>[]) {
  const file = Buffer.from([HEADER, ...rows.map(row), ''].join('\n'))
  const done = await importDrafts(shop.db, person.user.id, () => [file])
  return done.map(({ outcome }) => outcome)
}
const draftsOf = async (person: Person) => (await person.get('/api/drafts/')).body.drafts

test('the listings of a file become drafts, and the same file again changes nothing', async () => {
  const ana = await shop.signUp('ana')
  const rows: Record<string, string>[] = [{ TITLE: 'Blue mug' }, { TITLE: 'Red mug', SKU: 'RED-1' }]
  expect(await importRows(ana, ...rows)).toEqual(['new', 'new'])
  const before = await draftsOf(ana)
  expect(before.map(({ fields }: { fields: { name: string } }) => fields.name).sort()).toEqual([
    'Blue mug',
    'Red mug',
  ])
  expect(before[0].fields).toMatchObject({ price: '26.50', stock: '3', tags: 'blue mug, gift' })
  expect(await importRows(ana, ...rows)).toEqual(['same', 'same'])
  expect(await draftsOf(ana)).toEqual(before)
  expect((await ana.get('/api/products/current')).body.products).toEqual([])
})

test('a newer file changes an untouched draft but for its stock, and no edited or published one', async () => {
  const ana = await shop.signUp('ana')
  const [a, b, c] = [{ SKU: 'A' }, { SKU: 'B', TITLE: 'B' }, { SKU: 'C', TITLE: 'C' }]
  await importRows(ana, a, b, c)
  const drafts = await draftsOf(ana)
  const named = (name: string) =>
    drafts.find(({ fields }: { fields: { name: string } }) => fields.name === name)
  const edited = { ...named('B').fields, price: '99' }
  await ana.put(`/api/drafts/${named('B').id}`, { fields: edited })
  await shop.rows(`
    with gone as (delete from drafts where id = ${named('C').id} returning source_key)
    insert into products (seller_id, name, category, description, price_cents, source_key)
    select ${ana.user.id}, 'C', 'Home & Living', 'C', 100, source_key from gone`)
  const newer = { PRICE: '30', QUANTITY: '50' }
  expect(
    await importRows(ana, { ...a, ...newer }, { ...b, ...newer }, { ...c, ...newer }, { SKU: 'D' }),
  ).toEqual([...['changed', 'edited', 'published', 'new']])
  const fields = (await draftsOf(ana)).map(({ fields }: { fields: object }) => fields)
  expect(fields).toContainEqual(expect.objectContaining({ price: '30.00', stock: '3' }))
  expect(fields).toContainEqual(edited)
  // Its stock is still another one than that of the file, which is no edit.
  expect(await importRows(ana, { ...a, PRICE: '31' })).toEqual(['changed'])
})

test('a draft whose stock was taken out gets that of a newer file', async () => {
  const ana = await shop.signUp('ana')
  await importRows(ana, { SKU: 'A' })
  const [{ id, fields }] = await draftsOf(ana)
  const { stock: _, ...others } = fields
  await ana.put(`/api/drafts/${id}`, { fields: others })
  expect(await importRows(ana, { SKU: 'A', PRICE: '30', QUANTITY: '50' })).toEqual(['changed'])
  expect(await draftsOf(ana)).toMatchObject([{ id, fields: { ...others, price: '30.00', stock: '50' } }])
})

test('listings of one title are told apart by their first picture, and twins are left out', async () => {
  const ana = await shop.signUp('ana')
  const picture = (n: number) => `https://i.etsystatic.com/1/r/il/a/${n}/il_fullxfull.${n}_x.jpg`
  const rows = [{ IMAGE1: picture(1) }, { IMAGE1: picture(2) }, { IMAGE1: picture(2) }]
  expect(await importRows(ana, ...rows)).toEqual(['new', 'new', 'twin'])
  expect(await importRows(ana, ...rows)).toEqual(['same', 'same', 'twin'])
})

test('a listing that was copied with its SKU is added, and changes nothing of the first', async () => {
  const ana = await shop.signUp('ana')
  const [first, copy] = [
    { SKU: 'X', TITLE: 'Blue mug' },
    { SKU: 'X', TITLE: 'Red mug' },
  ]
  expect(await importRows(ana, first)).toEqual(['new'])
  const before = await draftsOf(ana)
  expect(await importRows(ana, copy, first)).toEqual(['new', 'same'])
  expect(await draftsOf(ana)).toEqual(expect.arrayContaining(before))
  expect(await importRows(ana, first, copy)).toEqual(['same', 'same'])
  // Where nothing has come under it yet, it names the first.
  expect(await importRows(ana, { ...copy, SKU: 'Y' }, { SKU: 'Y', TITLE: 'Green mug' })).toEqual([
    'new',
    'new',
  ])
  expect(await draftsOf(ana)).toHaveLength(4)
})

test('a file with a wrong row writes nothing', async () => {
  const ana = await shop.signUp('ana')
  await expect(importRows(ana, {}, { TITLE: 'Other', PRICE: '1.234,50' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/^Row 3, PRICE: /),
  })
  expect(await draftsOf(ana)).toEqual([])
})

test('a published draft keeps its place in the file', async () => {
  const ana = await shop.signUp('ana')
  await importRows(ana, { SKU: 'P' })
  const [{ id, fields }] = await draftsOf(ana)
  await ana.put(`/api/drafts/${id}`, { fields: { ...fields, category: 'Home & Living' } })
  await shop.rows(`insert into images (draft_id, owner_id, folder, kind, widths, bytes)
    values (${id}, ${ana.user.id}, 'none-${id}', 'picture', '{}', 1)`)
  expect((await ana.post(`/api/drafts/${id}/publish`)).status).toBe(201)
  expect(await importRows(ana, { SKU: 'P' })).toEqual(['published'])
})
