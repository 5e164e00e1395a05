import { expect, test, vi } from 'vitest'
import { openShop } from '../test/shop.ts'
import { sweeping } from './sweep.ts'

test('a shop sweeps as soon as it is open', async () => {
  const shop = await openShop()
  try {
    const [ana, ben] = [await shop.signUp('ana'), await shop.signUp('ben')]
    await shop.rows(
      `update sessions set expires_at = now() - interval '1 day' where user_id = ${ana.user.id}`,
    )
    const stop = sweeping(shop.app)
    await vi.waitFor(async () =>
      expect(await shop.rows('select user_id from sessions')).toEqual([{ user_id: ben.user.id }]),
    )
    stop()
  } finally {
    await shop.close()
  }
})
