import { expect, onTestFinished, test } from 'vitest'
import { countStatuses, soon, times } from '../../../test/support/expect.ts'
import { wholeWindow } from '../../../test/support/scenario.ts'
import { openShop } from '../../../test/support/shop.ts'

test('an archive is downloaded so often in a day, and failures do not count', async () => {
  await wholeWindow('daily_downloads', 20_000)
  const shop = await openShop({ settings: { LIMITS: 'on', LIMIT_DAILY_DOWNLOADS: '3' } })
  onTestFinished(() => shop.close())
  const ana = await shop.signUp('ana')
  const download = (headers?: Record<string, string>) => ana.get('/api/account/data/file', headers)
  const fail = async () => {
    for (let n = 0; n < 4; n++) expect((await download()).status).toBe(404)
  }
  await fail()
  await ana.post('/api/account/data')
  await expect.poll(async () => (await ana.get('/api/account/data')).body.state, soon).toBe('ready')
  const { folder } = (await shop.rows('select folder from data_exports'))[0]
  await shop.rows(`update data_exports set folder = 'lost'`)
  await fail()
  await shop.rows(`update data_exports set folder = '${folder}'`)
  expect(countStatuses(await times(4, () => download()))).toEqual({ 200: 3, 429: 1 })
  expect((await download()).headers['retry-after']).toMatch(/^\d+$/)
  // A browser is led to the page, which says so.
  const { status, headers } = await download({ accept: 'text/html,*/*' })
  expect([status, headers.location]).toEqual([303, '/settings/account?done=enough'])
  expect((await ana.get(String(headers.location))).body).toContain('Please try again tomorrow')
  // The next day.
  await shop.rows(`update rate_limits set window_start = window_start - interval '1 day'`)
  expect((await download()).status).toBe(200)
})
