import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import { STOPPING } from '#platform/jobs/jobs.ts'
import { archiveOf } from '../../../test/support/archive.ts'
import { DataExports } from '../../../test/support/data-exports.ts'
import { expectRefusal, soon } from '../../../test/support/expect.ts'
import { openShop, type Person } from '../../../test/support/shop.ts'
import { EXPORTS, sweepExports } from './exports.ts'
import { exportJob } from './make-exports.ts'

const NO_ARCHIVE = 'There is no such archive. Archives are deleted after 24 hours'

const own = new DataExports()
const { statusOf, file, becomes, rowOf, archivesIn, ready, letterTo } = own

test('one is made at a time; one whose process died is made again when its lease has ended', async () => {
  const [ana, ben] = [await own.shop.signUp('ana'), await own.shop.signUp('ben')]
  // As if another process were making it.
  await own.shop.rows(
    `insert into data_exports (user_id, tries, leased_until) values (${ben.user.id}, 1, now() + interval '1 minute')`,
  )
  await ana.post('/api/account/data')
  const jobsDone = async () =>
    (await own.shop.rows(`select from pgboss.job where name = 'data-exports' and state = 'completed'`)).length
  const before = await jobsDone()
  requestJobRun(EXPORTS)
  await expect.poll(jobsDone, soon).toBeGreaterThan(before)
  expect([(await rowOf(ana)).tries, (await rowOf(ben)).tries]).toEqual([0, 1])
  await own.shop.rows(`update data_exports set leased_until = now() where user_id = ${ben.user.id}`)
  requestJobRun(EXPORTS)
  for (const each of [ana, ben]) await becomes(each, 'ready')
  expect((await rowOf(ben)).tries).toBe(2)
})

test('an archive is made and sent by any process of the shop', async () => {
  const other = await openShop({ database: own.shop.database, settings: own.mail.settings })
  try {
    const ana = await ready()
    const there = other.visitor()
    there.cookie = ana.cookie
    expect(await archiveOf(other, there)).toEqual(await archiveOf(own.shop, ana))
  } finally {
    await other.close()
  }
})

test('after 24 hours by the clock of the database the address is 404, and file and row go', async () => {
  const ana = await ready()
  const { secret } = await letterTo(ana)
  const { folder } = await rowOf(ana)
  await own.shop.rows(
    `update data_exports set expires_at = now() + interval '1 minute' where user_id = ${ana.user.id}`,
  )
  await sweepExports(own.shop.db, own.shop.app.privateFiles)
  expect((await file(ana, secret)).status).toBe(200)
  await own.shop.rows(`update data_exports set expires_at = now() where user_id = ${ana.user.id}`)
  for (const each of [undefined, secret]) expectRefusal(await file(ana, each), 404, NO_ARCHIVE)
  expect((await statusOf(ana)).state).toBe('none')
  expect((await ana.get(`/settings/account?archive=${secret}`)).status).toBe(404)
  expect(await archivesIn(own.shop)).toContain(folder)
  await sweepExports(own.shop.db, own.shop.app.privateFiles)
  expect(await rowOf(ana)).toBeUndefined()
  expect(await archivesIn(own.shop)).not.toContain(folder)
})

test('files of a dead process are deleted, requested archives are not', async () => {
  const ana = await ready()
  const { privateFiles, files } = own.shop.app
  const lost = await privateFiles.put([{ name: '000001', bytes: Buffer.from('half') }])
  const photo = await files.put([{ name: '320.webp', bytes: Buffer.from('photo') }])
  await sweepExports(own.shop.db, privateFiles)
  expect(await archivesIn(own.shop)).toContain(lost)
  const later = { ...privateFiles, list: () => privateFiles.list(new Date(Date.now() + 60_000)) }
  await sweepExports(own.shop.db, later)
  expect(await archivesIn(own.shop)).not.toContain(lost)
  expect((await file(ana)).status).toBe(200)
  expect(await files.contents(photo)).toHaveLength(1)
})

test('the sweep of pictures leaves archives, and theirs leaves pictures', async () => {
  const ana = await ready()
  const tomorrow = new Date(Date.now() + 86_400_000)
  const { folder } = await rowOf(ana)
  expect(await Array.fromAsync(own.shop.files.list(tomorrow))).not.toContain(folder)
  expect(await Array.fromAsync(own.shop.app.privateFiles.list(tomorrow))).toContain(folder)
})

test('a deleted account takes its archive along, also one that is being made', async () => {
  const one = await openShop({ signups: true })
  try {
    const [ana, ben] = [await one.signUp('ana'), await one.signUp('ben')]
    await ana.post('/api/account/data')
    await becomes(ana, 'ready')
    expect(await archivesIn(one)).toHaveLength(1)
    const leave = ({ password }: Person) => ({ current_password: password, reviews: 'remove' })
    expect((await ana.post('/api/account/deletion', leave(ana))).status).toBe(200)
    expect(await archivesIn(one)).toEqual([])
    // In the middle: the request and the deletion meet at any point.
    await Promise.all([ben.post('/api/account/data'), ben.post('/api/account/deletion', leave(ben))])
    await expect.poll(() => one.rows('select * from data_exports'), soon).toEqual([])
    await expect.poll(() => archivesIn(one), soon).toEqual([])
    expect(await one.rows(`select * from outbox where kind = 'data_ready'`)).toEqual([])
  } finally {
    await one.close()
  }
})

test('a storage that fails is tried again five times, then the page shows it and a new request is possible', async () => {
  const strict = await openShop({ settings: { LIMITS: 'on' } })
  const place = join(strict.dataDir, 'uploads', inject('shop'), 'private')
  try {
    const ana = await strict.signUp('ana')
    const row = async () => (await strict.rows('select * from data_exports'))[0]
    // A file where the folder would be.
    await strict.app.files.put([{ name: '320.webp', bytes: Buffer.from('photo') }])
    await writeFile(place, '')
    await ana.post('/api/account/data')
    for (const [tries, minutes] of [
      [1, 1],
      [2, 5],
      [3, 15],
      [4, 60],
    ] as const) {
      await expect.poll(async () => (await row()).last_error && (await row()).tries, soon).toBe(tries)
      await expect.poll(async () => (await row()).leased_until, soon).toBe(null)
      expect((await statusOf(ana)).state).toBe('making')
      const [{ wait }] = await strict.rows(
        'select extract(epoch from due_at - now())::int as wait from data_exports',
      )
      expect(Math.abs(wait - minutes * 60)).toBeLessThan(20)
      await strict.rows('update data_exports set due_at = now()')
      requestJobRun(EXPORTS)
    }
    await becomes(ana, 'failed')
    expect((await ana.get('/settings/account')).body).toContain('Your data could not be prepared')
    expect((await statusOf(ana)).again_at).toBe(null)
    await rm(place)
    expect((await ana.post('/api/account/data')).status).toBe(201)
    await becomes(ana, 'ready')
    await archiveOf(strict, ana)
  } finally {
    await strict.close()
  }
})

test('an archive whose file is lost is not there', async () => {
  const ana = await ready()
  await own.shop.app.privateFiles.remove((await rowOf(ana)).folder)
  expectRefusal(await file(ana), 404, NO_ARCHIVE)
})

test('a try that ends because the shop stops does not count, and one that takes too long does', async () => {
  const { user } = await own.shop.signUp('ana')
  const { db, config, files, privateFiles, log } = own.shop.app
  for (const [reason, tries] of [
    [STOPPING, 0],
    [new Error('The job has expired'), 1],
  ] as const) {
    await own.shop.rows(`delete from data_exports where user_id = ${user.id};
      insert into data_exports (user_id) values (${user.id})`)
    const ending = new AbortController()
    const put = async () => {
      ending.abort(reason)
      throw new Error('The store is closed')
    }
    await exportJob({ db, config, files, log, privateFiles: { ...privateFiles, put } }).run(ending.signal)
    const rows = await own.shop.rows(`select tries, failed_at from data_exports where user_id = ${user.id}`)
    expect(rows).toEqual([{ tries, failed_at: null }])
  }
})
