import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test, vi } from 'vitest'
import { localFiles } from '../../src/platform/storage/files.ts'
import { audited, emptyTarget, openBackedUp, restoreTo, rowsOf, urlOf } from '../../test/support/backups.ts'
import { soon } from '../../test/support/expect.ts'
import { openSnapshot, putPictures } from '../../test/support/schema-snapshots.ts'
import { readArchive, textEntry, writeArchive } from './archive.ts'
import { backUpShop } from './backup.ts'
import { checkBackup, restoreShop } from './restore.ts'

const { folder, file, backUp, close } = await openBackedUp()
afterAll(close)

test('a damaged, truncated or foreign file is refused with a message', async () => {
  const path = await backUp()
  const { size } = await stat(path)
  const notOurs = 'It is not a backup of a shop'
  const damaged = 'It is damaged, or not whole'
  for (const at of [0, 700, Math.floor(size / 2), size - 1_530, size - 1_100, size - 1]) {
    const bytes = await readFile(path)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    const bad = file()
    await writeFile(bad, bytes)
    await expect(checkBackup(bad), `byte ${at} of ${size}`).rejects.toThrow(/It is (damaged|not a backup)/)
  }
  for (const cut of [0, 100, 512, 5_000, size - 2_000]) {
    const bad = file()
    await copyFile(path, bad)
    await truncate(bad, cut)
    await expect(checkBackup(bad), `${cut} of ${size}`).rejects.toThrow(cut < 512 ? notOurs : damaged)
  }
  const foreign = file()
  await writeFile(foreign, 'a letter to Ana\n'.repeat(1_000))
  await expect(checkBackup(foreign)).rejects.toThrow(notOurs)
  const other = file()
  const letters = async function* () {
    yield textEntry('letter.txt', 'dear Ana')
  }
  await writeArchive(other, letters())
  await expect(checkBackup(other)).rejects.toThrow(notOurs)
})

test('a shop of an earlier version can be backed up, and is migrated by the restore', async () => {
  const left = await emptyTarget()
  const old = await openSnapshot(left.connection, '0024')
  await putPictures(old, left.files)
  const path = file()
  await backUpShop(path, left.connection, () => left.files)
  const target = await emptyTarget()
  await restoreTo(target, path)
  // Shops of then signed no links: the key is new.
  const [installation = ''] = await rowsOf(target.connection, 'installation')
  const [, id, key] = /^\((.*),"\\\\x([0-9a-f]{64})"\)$/.exec(installation) ?? []
  expect([`(${id})`]).toEqual(await rowsOf(left.connection, 'shop'))
  expect(key).not.toMatch(/^0+$/)
  expect(await rowsOf(target.connection, 'rate_limits')).toEqual([])
  expect(await audited(target)).toEqual([])
})

test('an archive written by an earlier version is read', async () => {
  const path = file()
  const written = [
    'H4sIAAAAAAACA+3XsU7DMBDGca/wFMgz0O9sx07yKojBsR2SQtMqTibEuyPBBBk6Ja3U+y0ePZz+li93x9PzPh8HsR4AsMDPieUJ',
    'aBJUaBBp5ZwTgLMG4gFiA3Oe/CiwyV1X6FO2x/HgJ1nLqRvnw1Pjw/t8kl+C3YLJNx8p7+acxrwDQJfoH/Zv/wRHhvvfAt35wd9z',
    'B9z/b//qIv1j0T8c97+FQ59zP7yt+gU8P3/1f/5aW57/Fl5e+Q28ZWmIa69/Z/un5f5nuP+t9r80TGOfsqzNo8ydV4WVtYwqoLAq',
    'lDYEHchUpYomNqCiamzV6Bh1WZKKRSx1k0yVEGwg5SNc651teX9kjLEr9w11jT+rABYAAA==',
  ].join('')
  await writeFile(path, gunzipSync(Buffer.from(written, 'base64')))
  const entries = await Array.fromAsync(readArchive(path), async ({ name, content }) => [
    name,
    (await buffer(content as AsyncIterable<Uint8Array>)).toString(),
  ])
  expect(entries).toEqual([
    ['shop.json', '{"format":"thrum-backup"}'],
    ['tables/users/0001', '1\tana\n'],
    ['tables/users/0002', ''],
    ['missing.json', '[]'],
  ])
})

test('a backup of a newer shop, or of another format, is refused', async () => {
  const head = { made: 'now', shop: randomUUID(), tables: [], sequences: [] }
  const checked = async (more: object) => {
    const path = file()
    const entries = async function* () {
      yield textEntry('shop.json', JSON.stringify({ format: 'thrum-backup', version: 1, ...head, ...more }))
    }
    await writeArchive(path, entries())
    return checkBackup(path)
  }
  const later = { name: '9999_later.sql', hash: 'x', applied_at: 'now' }
  await expect(checked({ migrations: [later] })).rejects.toThrow(
    'It is of a shop newer than this program, which does not know 9999_later.sql',
  )
  await expect(checked({ migrations: [{ ...later, name: '0001_accounts.sql' }] })).rejects.toThrow(
    'It is of a shop that was made by another 0001_accounts.sql than this program has',
  )
  await expect(checked({ migrations: [], version: 2 })).rejects.toThrow('It was made by a newer program')
})

test('a target that is not empty is refused, and unchanged', async () => {
  const path = await backUp()
  const target = await emptyTarget()
  await restoreTo(target, path)
  const before = await rowsOf(target.connection, 'users')
  await expect(restoreTo(target, path)).rejects.toThrow('The database is not empty')
  expect(await rowsOf(target.connection, 'users')).toEqual(before)
  const second = await emptyTarget()
  await expect(restoreTo({ ...second, files: target.files }, path)).rejects.toThrow(
    'There are files of this very shop already',
  )
  expect(await audited(target)).toEqual([])
})

test('a failed restore leaves the target empty, and the next one works', async () => {
  const path = await backUp()
  const head = await checkBackup(path)
  const target = await emptyTarget()
  // Intact when verified, damaged on the second read.
  const bad = file()
  const bytes = await readFile(path)
  bytes[bytes.length - 3_000] = (bytes[bytes.length - 3_000] ?? 0) ^ 1
  await writeFile(bad, bytes)
  await expect(restoreShop(bad, head, target.connection, () => target.files)).rejects.toThrow(/damaged/)
  expect(await Array.fromAsync(target.files.list(new Date(8.64e15)))).toEqual([])
  expect(await rowsOf(target.connection, 'pg_tables')).not.toContainEqual(expect.stringContaining('(public'))
  await restoreTo(target, path)
})

test('a failed restore whose files cannot be removed says why it failed, and what is left', async () => {
  const path = await backUp()
  const { shop } = await checkBackup(path)
  const target = await emptyTarget()
  const full = () => Promise.reject(new Error('The disk is full'))
  const away = () => Promise.reject(new Error('The storage does not answer'))
  const files = () => ({ ...target.files, put: full, clear: away })
  await expect(restoreShop(path, await checkBackup(path), target.connection, files)).rejects.toThrow(
    `The disk is full\nPhotos of the shop ${shop} are left in the storage, because: The storage does not answer\nRemove them`,
  )
})

test('an archive truncated inside a table on its second read is refused, and leaves nothing', async () => {
  const path = await backUp()
  const head = await checkBackup(path)
  const bytes = await readFile(path)
  const users = bytes.indexOf('tables/users/0001')
  const target = await emptyTarget()
  // After some rows, inside a row, and before the first.
  for (const cut of [512 + 100, 512 + 10, 512]) {
    const bad = file()
    await writeFile(bad, bytes.subarray(0, users + cut))
    await expect(restoreShop(bad, head, target.connection, () => target.files)).rejects.toThrow(
      'It is damaged, or not whole',
    )
    expect(await rowsOf(target.connection, 'pg_tables')).not.toContainEqual(
      expect.stringContaining('(public'),
    )
  }
  // A row that PostgreSQL refuses, among valid ones.
  const bad = file()
  bytes[bytes.indexOf('\t', users + 512)] = 0x20
  await writeFile(bad, bytes)
  await expect(restoreShop(bad, head, target.connection, () => target.files)).rejects.toThrow(
    /type integer|bigint/,
  )
  await restoreTo(target, path)
})

test('an interrupted restore removes its pictures, and the next one works', async () => {
  const path = await backUp()
  const many = file()
  const withMany = async function* () {
    for await (const entry of readArchive(path)) {
      if (entry.name === 'missing.json')
        for (let n = 0; n < 5_000; n++)
          yield textEntry(`pictures/${n.toString(16).padStart(32, '0')}/320.webp`, 'a picture')
      yield entry
    }
  }
  await writeArchive(many, withMany())
  const target = await emptyTarget()
  const dataDir = join(folder, target.name)
  const child = spawn(process.execPath, [join(import.meta.dirname, '../restore.ts'), many], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: urlOf(target.connection), DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const output = text(child.stderr)
  const { shop: id } = await checkBackup(path)
  const files = localFiles(join(dataDir, 'uploads', id))
  const written = () => Array.fromAsync(files.list(new Date(8.64e15)))
  await vi.waitUntil(async () => (await written()).length > 0, soon)
  for (const _ of ['Ctrl-C', 'once more']) child.kill('SIGINT')
  expect(await ended).toEqual([1, null])
  expect(await output).toBe('The restore was interrupted. The place is as empty as before\n')
  expect(await written()).toEqual([])
  expect(await rowsOf(target.connection, 'pg_tables')).not.toContainEqual(expect.stringContaining('(public'))
  await restoreTo({ ...target, files }, path)
})
