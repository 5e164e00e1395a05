import { afterAll, beforeAll, expect, test } from 'vitest'
import { leave, review, reviewsOf } from '../../../test/support/account-deletion.ts'
import { expectRefusal, times } from '../../../test/support/expect.ts'
import { aReport } from '../../../test/support/fixtures.ts'
import { openOperator } from '../../../test/support/operators.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { REPORT_LENGTH } from './notices-contract.ts'
import { sweepAddresses } from './reports.ts'

let shop: TestShop
let otto: Person
let ana: Person
let ben: Person
beforeAll(async () => {
  shop = await openShop()
  otto = await openOperator(shop)
  ana = await shop.signUp('ana')
  ben = await shop.signUp('ben')
})
afterAll(() => shop.close())

const queue = async () => (await otto.get('/api/operate/reports')).body.reports
const letters = (person: Person) =>
  shop.rows(`select kind from outbox where recipient = ${person.user.id} and kind like 'report%' order by id`)
const countOf = (kinds: string[]) =>
  Object.fromEntries([...Map.groupBy(kinds, kind => kind)].map(([kind, all]) => [kind, all.length]))
const statement = { reason: 'The photo is not yours', rule: '' }

test('anybody reports a listing, a review or a maker, and operators see it with what it is about', async () => {
  const { id } = await shop.list(ana, { name: 'Indigo bowl' })
  const words = { review: 'Insulting words.', stars: 1 }
  const review = (await ben.post(`/api/reviews/${id}/create-review`, words)).body.id
  const visitor = shop.visitor()
  const email = 'visitor@example.com'
  const first = await visitor.post(`/api/products/${id}/reports`, { ...aReport, email })
  expect([first.status, first.body.message]).toEqual([
    201,
    `Thank you. Your report has the number ${first.body.id}`,
  ])
  expect((await ana.post(`/api/reviews/${review}/reports`, aReport)).status).toBe(201)
  expect((await ben.post(`/api/shops/${ana.user.username}/reports`, aReport)).status).toBe(201)
  expect(await queue()).toMatchObject([
    {
      about: 'listing',
      ...aReport,
      reporter: null,
      email,
      listing: { id, name: 'Indigo bowl', state: 'listed', open_reports: 1 },
      review: null,
      person: { username: ana.user.username, suspended: false },
    },
    {
      about: 'review',
      reporter: ana.user.username,
      email: null,
      listing: { id },
      review: { id: review, review: 'Insulting words.', hidden: false, open_reports: 1 },
      person: { username: ben.user.username },
    },
    { about: 'shop', listing: null, review: null, person: { username: ana.user.username } },
  ])
  expect(await letters(ana)).toEqual([{ kind: 'report-received' }])
})

test('a measure answers the reports about the same, and no others; a person with an account gets a letter', async () => {
  await shop.rows('delete from reports')
  const { id } = await shop.list(ana)
  const other = await shop.list(ana)
  const rosa = await shop.signUp('rosa')
  for (const listing of [id, other.id]) await rosa.post(`/api/products/${listing}/reports`, aReport)
  const again = 'You have reported this already. Somebody will answer it'
  expectRefusal(await rosa.post(`/api/products/${id}/reports`, aReport), 409, again)
  await ben.post(`/api/products/${id}/reports`, aReport)
  await otto.post(`/api/operate/listings/${id}/hide`, statement)
  expect((await queue()).map(({ listing }: { listing: { id: number } }) => listing.id)).toEqual([other.id])
  const kinds = (await letters(rosa)).map(({ kind }) => kind)
  expect(countOf(kinds)).toEqual({ 'report-received': 2, 'report-answered': 1 })
  // What is hidden cannot be reported.
  expectRefusal(await rosa.post(`/api/products/${id}/reports`, aReport), 404, 'There is no such listing')
})

test('a report about a review outlives the account of its author, if the review does', async () => {
  await shop.rows('delete from reports')
  const { id } = await shop.list(ana)
  const [rosa, gone, dora] = [await shop.signUp('rosa'), await shop.signUp('gone'), await shop.signUp('dora')]
  for (const person of [rosa, gone]) await review(person, { id })
  const ids = (await reviewsOf(shop, { id })).map((each: { id: number }) => each.id)
  for (const each of ids) expect((await dora.post(`/api/reviews/${each}/reports`, aReport)).status).toBe(201)
  expect([(await leave(rosa)).status, (await leave(gone, 'remove')).status]).toEqual([200, 200])
  const [report, ...others] = await queue()
  expect([report, others]).toMatchObject([{ about: 'review', review: { review: 'Lovely glaze.' } }, []])
  expect((await otto.post(`/api/operate/reviews/${report.review.id}/hide`, statement)).status).toBe(200)
  expect(await queue()).toEqual([])
  expect((await letters(dora)).filter(({ kind }) => kind === 'report-answered')).toHaveLength(1)
})

test('a report is answered without a measure, once, with all others about the same', async () => {
  await shop.rows('delete from reports')
  const { id } = await shop.list(ana)
  const report = (await ben.post(`/api/products/${id}/reports`, aReport)).body.id
  for (const _ of ['two', 'visitors']) await shop.visitor().post(`/api/products/${id}/reports`, aReport)
  const dismiss = () => otto.post(`/api/operate/reports/${report}/dismiss`, { reason: 'It is her own photo' })
  expect((await dismiss()).status).toBe(200)
  expectRefusal(await dismiss(), 409, 'This report is answered already')
  expect(await queue()).toEqual([])
  expect((await otto.get('/api/operate/overview')).body).toMatchObject({ reports: 0 })
})

test('the address of a visitor who reports is forgotten 30 days after the answer', async () => {
  const visitors = ['open', 'new', 'old']
  for (const name of visitors) {
    const { id } = await shop.list(ana)
    const email = `${name}@example.com`
    await shop.visitor().post(`/api/products/${id}/reports`, { ...aReport, email })
  }
  const answers = { new: 29, old: 31 }
  for (const [name, days] of Object.entries(answers))
    await shop.rows(`
      with answer as (
        insert into operator_log (by_command, action, created_at)
        values (true, 'report-dismissed', now() - interval '${days} days') returning id
      ) update reports set answered_by = answer.id from answer where email = '${name}@example.com'`)
  await sweepAddresses(shop.db)
  const left = await shop.rows(
    `select email from reports where email like '%@example.com' order by id desc limit 2`,
  )
  expect(left.map(({ email }) => email)).toEqual(['new@example.com', 'open@example.com'])
  expect(await shop.rows(`select from reports where email = 'old@example.com'`)).toEqual([])
})

/** Of each letter whether it waits for the end of an hour. The others are sent meanwhile. */
const areLater = async () => {
  const rows = await shop.rows(`
    select coalesce(due_at > created_at + interval '59 minutes', false) as later from outbox
    where kind = 'report-waits' order by created_at`)
  return rows.map(({ later }) => later)
}

test('operators are told that reports wait, once an hour, also of those that come within the hour', async () => {
  await shop.rows(`delete from outbox where kind = 'report-waits'`)
  const report = async () =>
    shop.visitor().post(`/api/products/${(await shop.list(ana)).id}/reports`, aReport)
  await report()
  await report()
  expect(await areLater()).toEqual([false])
  await shop.rows(`update outbox set sent_at = now(), due_at = null where kind = 'report-waits'`)
  await report()
  await report()
  expect(await areLater()).toEqual([false, true])
  await shop.rows(
    `update outbox set sent_at = now() - interval '61 minutes', due_at = null where kind = 'report-waits'`,
  )
  await report()
  expect(await areLater()).toEqual([false, false, false])
})

test('of reports at the same moment the first alone is written about at once', async () => {
  await shop.rows(`delete from outbox where kind = 'report-waits'`)
  const listings = await times(6, () => shop.list(ana))
  await Promise.all(listings.map(({ id }) => shop.visitor().post(`/api/products/${id}/reports`, aReport)))
  expect((await areLater()).filter(later => !later)).toEqual([false])
})

test('a report needs its grounds and words, and an address if it gives one', async () => {
  const { id } = await shop.list(ana)
  const send = (body: object) => ben.post(`/api/products/${id}/reports`, body)
  expect((await send({ ...aReport, grounds: 'ugly' })).body.message).toBe('Please choose a reason')
  expect((await send({ ...aReport, words: ' ' })).body.message).toBe('Please say what is wrong')
  expect((await send({ ...aReport, email: 'nobody' })).body.message).toBe('Please provide a valid email')
  expect((await send({ ...aReport, email: '' })).status).toBe(201)
})

test('a line end of two characters, as forms without scripts have, counts and is stored as one', async () => {
  const { id } = await shop.list(ana)
  const words = `${'a'.repeat(REPORT_LENGTH - 2)}\nb`
  const report = { ...aReport, words: words.replace('\n', '\r\n') }
  const { status, body } = await ben.post(`/api/products/${id}/reports`, report)
  expect(status).toBe(201)
  expect(await shop.rows(`select words from reports where id = ${body.id}`)).toEqual([{ words }])
})
