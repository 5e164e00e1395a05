import { strFromU8 } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exported, notExported } from '../support/downloaded-columns.ts'
import { live } from '../support/lived-account.ts'
import { download } from '../support/own-data.ts'
import { impersonal, personal } from '../support/personal-columns.ts'
import { typed } from '../support/personal-texts.ts'
import { aMug, openShop, type Person, type TestShop } from '../support/shop.ts'

let shop: TestShop
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop({ signups: true })
  // Ids that no count or number of a row is equal to.
  await shop.rows(`select setval('ids', 700000)`)
  ;[ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
})
afterAll(() => shop.close())

/** Every column of every table. */
const columns = async (): Promise<string[]> =>
  (
    await shop.rows(`
      select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`)
  )
    .map(({ name }) => name)
    .sort()

test('every column is on one list: personal data, or none', async () => {
  const ofPeople = Object.entries(personal).flatMap(([table, each]) =>
    Object.keys(each).map(column => `${table}.${column}`),
  )
  const others = Object.entries(impersonal).flatMap(([table, each]) =>
    each.map(column => `${table}.${column}`),
  )
  expect([...ofPeople, ...others].sort()).toEqual(await columns())
})

test('every personal column is downloaded, or on the list of those that are not', () => {
  const ofPeople = Object.entries(personal).flatMap(([table, each]) =>
    Object.keys(each).map(column => `${table}.${column}`),
  )
  expect([...Object.keys(exported), ...Object.values(notExported).flat()].sort()).toEqual(ofPeople.sort())
})

/** The values at a path of `exported`. */
const valuesAt = (data: unknown, path: string): unknown[] =>
  path.split('.').reduce<unknown[]>(
    (all, part) => {
      const found = all.map(each => (each as Record<string, unknown>)[part.replace('[]', '')])
      return part.endsWith('[]') ? found.flat() : found
    },
    [data],
  )
const MARK = /zyl|opera on|900 7264/i

/** Random texts, which may contain a mark by chance. */
const RANDOM = /_hash$|\.credential_id$/
/** Columns with one of the marks, in any row. */
async function marked(): Promise<string[]> {
  const found: string[] = []
  for (const name of (await columns()).filter(name => !RANDOM.test(name))) {
    const [table, column] = name.split('.')
    const rows = await shop.rows(
      `select "${column}"::text as text from ${table} where "${column}" is not null`,
    )
    if (rows.some(({ text }) => MARK.test(text))) found.push(name)
  }
  return found
}
/** Columns with the id of a user. */
async function naming(id: number): Promise<string[]> {
  const found: string[] = []
  for (const name of await columns()) {
    const [table, column] = name.split('.')
    const [{ n }] = await shop.rows(
      `select count(*)::int as n from ${table} where "${column}"::text = '${id}'`,
    )
    if (n > 0) found.push(name)
  }
  return found
}

test('what a person downloads has every column with its value, and the photos', async () => {
  const { mug, scarf } = await live({ shop, ana, ben })
  const files = await download(shop, ana)
  const data = JSON.parse(strFromU8(files['data.json'] ?? new Uint8Array()))
  for (const [column, path] of Object.entries(exported)) {
    const values = valuesAt(data, path)
    expect(values.length, column).toBeGreaterThan(0)
    expect(values, column).not.toContain(undefined)
    if (column in typed) expect(values, column).toContain(typed[column as keyof typeof typed])
  }
  expect(data).toMatchObject({
    format: 1,
    account: ana.user,
    letters_off: [{ kind: 'review' }],
    cart: [{ product_id: scarf, name: 'Scarf', quantity: 1, added_price: aMug.price }],
    saved: [{ product_id: scarf, name: 'Scarf' }],
    orders: [{ total: 2 * aMug.price, lines: [{ product_id: scarf, quantity: 2, price: aMug.price }] }],
    sold: [{ product_id: mug, quantity: 2, status: 'Sent' }],
    shop: { image_id: data.photos[0].id, banner_id: data.photos[1].id },
  })
  // Her picture, the wide photo of her page, and the photos of her draft and her listing, as the shop shows them.
  expect(data.photos.map(({ product_id }: { product_id: number }) => product_id)).toEqual([
    ...[null, null, null],
    mug,
  ])
  const paths = data.photos.flatMap((photo: { files: string[] }) => photo.files)
  expect(Object.keys(files).sort()).toEqual(['READ ME.txt', 'data.json', ...paths].sort())
  const listing = (await ana.get(`/api/products/${mug}`)).body
  const shown = await fetch(shop.address + listing.images[0].url)
  expect(Buffer.from(files[paths[3]] ?? [])).toEqual(Buffer.from(await shown.arrayBuffer()))
  // Nothing of the other person, whose pieces and orders are in it.
  const text = strFromU8(files['data.json'] ?? new Uint8Array())
  for (const private_ of [ben.user.email, ben.user.username, ben.user.last_name])
    expect(text).not.toContain(private_)
  expect(text).not.toMatch(/argon2|token|hash/i)
})

test('after a deletion what a person typed is only where the list allows it', async () => {
  const derived = ['catalogue.stems', 'users.username_skeleton', 'vocabulary.stem', 'vocabulary.word']
  const copies = ['order_lines.name', 'security_events.passkey']
  expect(await marked()).toEqual([...Object.keys(typed), ...derived, ...copies].sort())
  const response = await ana.post('/api/account/deletion', {
    current_password: ana.password,
    reviews: 'keep',
  })
  expect(response.status).toBe(200)
  const stays = await marked()
  for (const name of stays) {
    const [table = '', column = ''] = name.split('.')
    expect([name, personal[table]?.[column]]).toEqual([name, 'retained'])
  }
  expect(stays).toEqual([
    'order_events.tracking',
    'order_lines.name',
    'products.name',
    'reports.words',
    'reviews.review',
    'stock_ledger.sent_as',
  ])
  // What the other side wrote stays for the other side.
  expect(await shop.rows(`select distinct text from order_messages order by text`)).toEqual([
    { text: '' },
    { text: 'Hello from Ben.' },
  ])
  // No row has her id: what stays belongs to a row without a name.
  expect(await naming(ana.user.id)).toEqual([])
  expect(await shop.rows('select username, email, erased_at from users where erased_at is not null')).toEqual(
    [
      {
        username: expect.stringMatching(/^deleted-[0-9a-f]{20}$/),
        email: expect.stringMatching(/^[0-9a-f]{20}@deleted\.invalid$/),
        erased_at: expect.any(Date),
      },
    ],
  )
})
