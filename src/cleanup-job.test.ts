import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test, vi } from 'vitest'
import { soon } from '../test/support/expect.ts'
import { openShop } from '../test/support/shop.ts'
import { startCleanupJob } from './cleanup-job.ts'
import { localFiles } from './platform/storage/files.ts'

test('a shop cleans up when it opens', async () => {
  const shop = await openShop()
  try {
    const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
    await shop.rows(
      `update sessions set expires_at = now() - interval '1 day' where user_id = ${ana.user.id}`,
    )
    const stop = startCleanupJob(shop.app)
    await vi.waitFor(
      async () => expect(await shop.rows('select user_id from sessions')).toEqual([{ user_id: ben.user.id }]),
      soon,
    )
    stop()
  } finally {
    await shop.close()
  }
})

test('a failed cleanup is logged, and the others run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sweep-'))
  const files = localFiles(folder)
  const shop = await openShop({ settings: { LOG_LEVEL: 'warn' }, files })
  try {
    const lost = await files.put([{ name: '320.webp', bytes: Buffer.from('nobody’s') }])
    await utimes(join(folder, lost), 0, 0)
    await shop.rows(`insert into rate_limits values ('logins:ana', now() - interval '1 day', 3)`)
    // A folder in the place of a cache file cannot be removed like one; the other two do not exist.
    const { database } = shop.connection as { database: string }
    const odd = join(inject('root'), `${database}-made`, 'odd')
    await mkdir(odd, { recursive: true })
    await utimes(odd, 0, 0)
    await shop.rows('alter table sessions rename to sessions_gone')
    await shop.rows('alter table vocabulary rename to vocabulary_gone')
    const stop = startCleanupJob(shop.app)
    await vi.waitFor(async () => expect(await Array.fromAsync(files.list(new Date()))).toEqual([]), soon)
    stop()
    expect(await shop.rows(`select * from rate_limits where subject = 'logins:ana'`)).toEqual([])
    const warnings = shop.log.filter(({ msg }) => msg === 'sweeping failed; it is tried again')
    expect(warnings.map(({ err }) => (err as Error).message)).toEqual([
      expect.stringContaining('odd'),
      'relation "sessions" does not exist',
      'relation "vocabulary" does not exist',
    ])
  } finally {
    await shop.close()
    await rm(folder, { recursive: true })
  }
})
