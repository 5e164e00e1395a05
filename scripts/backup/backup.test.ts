import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, inject, test } from 'vitest'
import { createClient } from '../../src/platform/database/database.ts'
import { audited, emptyTarget, openBackedUp, restoreTo, rowsOf, urlOf } from '../../test/support/backups.ts'
import { brandInput } from '../../test/support/brand.ts'
import { countStatuses, times } from '../../test/support/expect.ts'
import { fillTablesOfOperators } from '../../test/support/operated-shop.ts'
import { openShop } from '../../test/support/shop.ts'
import { upload } from '../../test/support/uploads.ts'
import { backUpShop } from './backup.ts'
import { EXCLUDED_TABLES, ROW_CONDITIONS } from './excluded.ts'
import { checkBackup } from './restore.ts'

const { shop, ana, ben, otto, photo, mug, order, file, backUp, close } = await openBackedUp()
afterAll(close)

test('a restored backup is the same shop, row by row and picture by picture', async () => {
  await shop.rows(`insert into outbox (kind, subject, recipient, created_at, due_at, sent_at) values
    ('waiting', 1, ${ana.user.id}, now(), now() + interval '1 day', null), ('send-reminder', 1, ${ana.user.id}, now(), null, now())`)
  expect((await otto.put('/api/operate/brand', brandInput)).status).toBe(200)
  expect((await upload(otto, '/api/operate/brand/logo?reason=New', {})).status).toBe(201)
  const about = { text: 'We make things by hand.', base: null }
  expect((await otto.post('/api/operate/pages/about/versions', about)).status).toBe(201)
  const { id: kettle } = await shop.list(ana, { name: 'Kettle' })
  const report = { grounds: 'copy', words: 'That is mine' }
  expect((await ben.post(`/api/products/${kettle}/reports`, report)).status).toBe(201)
  const statement = { reason: 'A copy', rule: '' }
  expect((await otto.post(`/api/operate/listings/${kettle}/hide`, statement)).status).toBe(200)
  await fillTablesOfOperators({ shop, otto, ana, ben })
  const path = await backUp()
  const target = await emptyTarget()
  expect((await restoreTo(target, path)).folders).toBe(4)
  const tables = await shop.rows(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  )
  const whole = tables
    .map(({ name }) => String(name))
    .filter(name => ![...EXCLUDED_TABLES, ...Object.keys(ROW_CONDITIONS)].includes(name))
  expect(whole.length).toBeGreaterThan(45)
  for (const table of whole)
    expect(await rowsOf(target.connection, table), table).toEqual(await rowsOf(shop.connection, table))
  // What operators did is among them, with the logo.
  for (const table of [
    ...[
      'operators',
      'operator_log',
      'brand',
      'pages',
      'page_versions',
      'agreements',
      'reports',
      'objections',
    ],
    ...['invitations', 'applications', 'seller_details', 'shops'],
  ])
    expect(await rowsOf(target.connection, table), table).not.toEqual([])
  expect(await rowsOf(target.connection, 'sessions')).toEqual([])
  expect(await rowsOf(shop.connection, 'operator_sessions')).not.toEqual([])
  // What waits is not sent again; what was sent is known, so that there is no second one.
  const letters = (await rowsOf(target.connection, 'outbox')).join('\n')
  expect(letters).toContain('send-reminder')
  expect(letters).not.toContain('waiting')
  expect(await audited(target)).toEqual([])

  const again = await openShop({ database: target.name })
  const [listing] = (await again.visitor().get('/api/products/')).body.products
  expect(listing).toEqual((await ana.get(`/api/products/${mug}`)).body)
  const picture = await again.visitor().get(listing.images[0].url)
  expect([picture.status, picture.body]).toEqual([200, (await ana.get(listing.images[0].url)).body])
  // Users log in again and continue.
  const benAgain = again.visitor()
  benAgain.cookie = ben.cookie
  expect((await benAgain.get('/api/orders/')).status).toBe(401)
  await benAgain.post('/api/auth/login', { email: ben.user.email, password: ben.password })
  expect((await benAgain.get('/api/orders/')).body).toEqual((await ben.get('/api/orders/')).body)
  expect(await order(benAgain)).toBeGreaterThan(mug)
  expect(await audited(target)).toEqual([])
  await again.close()
})

test('no table of a backup refers to one that is left out', async () => {
  const references = await shop.rows(
    `select r.relname as from, t.relname as to from pg_constraint f
      join pg_class r on r.oid = f.conrelid join pg_class t on t.oid = f.confrelid where f.contype = 'f'`,
  )
  expect(references.length).toBeGreaterThan(50)
  expect(
    references.filter(({ from, to }) => EXCLUDED_TABLES.includes(to) && !EXCLUDED_TABLES.includes(from)),
  ).toEqual([])
})

test('what is left out stays empty, also if the backup of an older program has it', async () => {
  const path = file()
  await backUp(
    path,
    EXCLUDED_TABLES.filter(name => name !== 'operator_sessions'),
  )
  const target = await emptyTarget()
  await restoreTo(target, path)
  expect(await rowsOf(target.connection, 'operator_sessions')).toEqual([])
  expect(await audited(target)).toEqual([])
})

test('a backup under writes is one consistent snapshot', async () => {
  let open = true
  const buyers = await times(4, n => shop.signUp(`buyer${n}`))
  const buying = buyers.map(async (buyer, n) => {
    while (open) {
      const id = await order(buyer)
      if (n % 2) await buyer.delete(`/api/orders/${id}/delete-order`)
    }
  })
  const uploading = async () => {
    while (open) {
      const { id } = await shop.list(ana)
      await ana.upload(`/api/products/${id}/images`, photo)
    }
  }
  const busy = [...buying, uploading()]
  const paths = [await backUp(), await backUp()]
  open = false
  await Promise.all(busy)
  expect(await audited(shop)).toEqual([])
  for (const path of paths) {
    const target = await emptyTarget()
    await restoreTo(target, path)
    expect(await audited(target)).toEqual([])
  }
})

test('a restored shop never oversells', async () => {
  const last = (await shop.list(ana, { stock: 5 })).id
  const target = await emptyTarget()
  await restoreTo(target, await backUp())
  const again = await openShop({ database: target.name })
  const people = await times(30, n => again.signUp(`ben${n}`))
  await Promise.all(people.map(person => person.post(`/api/cart_items/add/${last}`, { quantity: 1 })))
  const answers = await Promise.all(people.map(person => person.post('/api/orders/checkout')))
  expect(countStatuses(answers)).toEqual({ 201: 5, 409: 25 })
  expect(await audited(target)).toEqual([])
  await again.close()
})

test.each([
  ['a picture deleted during the backup', async (folder: string) => shop.files.remove(folder)],
  [
    'a picture that has lost one of its files',
    (folder: string) => rm(join(shop.dataDir, 'uploads', inject('shop'), folder, '320.webp')),
  ],
])('%s is left out, with its row', async (_, remove) => {
  const { id } = await shop.list(ana)
  const { body } = await ana.upload(`/api/products/${id}/images`, photo)
  const deleted = body.url.split('/')[2]
  await remove(deleted)
  const target = await emptyTarget()
  const path = file()
  // The row is there: the operator is told.
  expect(await backUpShop(path, shop.connection, () => shop.files)).toMatchObject({ lost: 1 })
  await restoreTo(target, path)
  expect(await audited(target)).toEqual([])
  expect(JSON.stringify(await rowsOf(target.connection, 'images'))).not.toContain(deleted)
  expect((await audited(shop)).join('\n')).toContain(`${deleted}/320.webp is missing`)
  await shop.db.deleteFrom('images').where('folder', '=', deleted).execute()
})

test('a backup never overwrites an existing file', async () => {
  const path = file()
  await writeFile(path, 'yesterday')
  await expect(backUp(path)).rejects.toThrow(`There is a file ${path} already`)
  expect(await readFile(path, 'utf8')).toBe('yesterday')
  const secondPath = await backUp()
  expect((await stat(secondPath)).mode & 0o777).toBe(0o600)
})

test('of two concurrent backups into one file one is refused, and the file is whole', async () => {
  const path = file()
  const both = await Promise.allSettled([backUp(path), backUp(path)])
  const refused = both.filter(outcome => outcome.status === 'rejected')
  expect(refused.map(({ reason }) => reason.message)).toEqual([`There is a file ${path} already`])
  expect((await checkBackup(path)).shop).not.toBe('')
  const left = (await readdir(dirname(path))).filter(name => name.startsWith(basename(path)))
  expect(left).toEqual([basename(path)])
})

test('a backup follows no symbolic link and opens no existing file', async () => {
  const [linked, open, elsewhere] = [file(), file(), file()]
  await symlink(elsewhere, `${linked}.part`)
  await writeFile(`${open}.part`, 'left by somebody', { mode: 0o666 })
  for (const path of [linked, open]) {
    await backUp(path)
    expect((await lstat(path)).mode & 0o777_777).toBe(0o100_600)
  }
  await expect(stat(elsewhere)).rejects.toThrow('ENOENT')
  expect(await readFile(`${open}.part`, 'utf8')).toBe('left by somebody')
  const left = (await readdir(dirname(open))).filter(name => name.endsWith('.part'))
  expect(left.sort()).toEqual([linked, open].map(path => `${basename(path)}.part`).sort())
})

test('an interrupted backup leaves no file', async () => {
  const path = file()
  const blocker = createClient(shop.connection, {})
  await blocker.connect()
  await blocker.query('begin; lock table users in access exclusive mode')
  const child = spawn(process.execPath, [join(import.meta.dirname, '../backup.ts'), path], {
    cwd: dirname(path),
    env: { ...process.env, DATABASE_URL: urlOf(shop.connection), DATA_DIR: dirname(path) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const output = text(child.stderr)
  const left = async () => (await readdir(dirname(path))).filter(name => name.startsWith(basename(path)))
  await expect.poll(left).toHaveLength(1)
  for (const _ of ['Ctrl-C', 'once more']) child.kill('SIGINT')
  expect(await ended).toEqual([1, null])
  expect(await output).toBe('The backup was interrupted. Nothing is left of it\n')
  expect(await left()).toEqual([])
  await blocker.end()
})
