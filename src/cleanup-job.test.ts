import { mkdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test, vi } from 'vitest'
import { soon } from '../test/support/expect.ts'
import { openShop, type TestShop } from '../test/support/shop.ts'

/** Opens another process of a shop, a day after the first one has swept it. */
async function openNextDay({ database, rows }: TestShop): Promise<TestShop> {
  const swept = `select from pgboss.job where name = 'cleanup' and state = 'completed'`
  await vi.waitFor(async () => expect(await rows(swept)).toHaveLength(1), soon)
  await rows(`update rate_limits set window_start = window_start - interval '1 day'`)
  await rows(`delete from pgboss.job where name = 'cleanup'`)
  return openShop({ database, settings: { LOG_LEVEL: 'warn' } })
}

test('a shop cleans up when it opens', async () => {
  const shop = await openShop()
  const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
  await shop.rows(`update sessions set expires_at = now() - interval '1 day' where user_id = ${ana.user.id}`)
  const ended = (ago: string) =>
    `(decode('${'00'.repeat(32)}', 'hex') || '${ago}', now() - interval '${ago}')`
  await shop.rows(
    `insert into ended_sessions (token_hash, ended_at) values ${ended('1 hour')}, ${ended('2 days')}`,
  )
  const again = await openNextDay(shop)
  try {
    await vi.waitFor(async () => {
      expect(await shop.rows('select user_id from sessions')).toEqual([{ user_id: ben.user.id }])
      const old = await shop.rows(`select from ended_sessions where ended_at < now() - interval '30 minutes'`)
      expect(old).toHaveLength(1)
    }, soon)
  } finally {
    await again.close()
    await shop.close()
  }
})

test('a failed cleanup is logged, and the others run', async () => {
  const shop = await openShop()
  const { dataDir, files } = shop
  const lost = await files.put([{ name: '320.webp', bytes: Buffer.from('nobody’s') }])
  await utimes(join(dataDir, 'uploads', inject('shop'), lost), 0, 0)
  // A folder where a made file should be cannot be removed like one; the other two are not to be found.
  const odd = join(dataDir, 'made', inject('shop'), 'odd')
  await mkdir(odd, { recursive: true })
  await utimes(odd, 0, 0)
  await shop.rows('alter table device_cookies rename to device_cookies_gone')
  await shop.rows('alter table vocabulary rename to vocabulary_gone')
  await shop.rows(`insert into rate_limits values ('logins:ana', now(), 3)`)
  const again = await openNextDay(shop)
  try {
    await vi.waitFor(async () => {
      expect(await Array.fromAsync(files.list(new Date()))).toEqual([])
      expect(await shop.rows(`select * from rate_limits where subject = 'logins:ana'`)).toEqual([])
      const warnings = again.log.filter(({ msg }) => msg === 'sweeping failed; it is tried again')
      expect(warnings.map(({ err }) => (err as Error).message).sort()).toEqual([
        expect.stringContaining('odd'),
        'relation "device_cookies" does not exist',
        'relation "vocabulary" does not exist',
      ])
    }, soon)
  } finally {
    await again.close()
    await shop.close()
  }
})
