import { expect, onTestFinished, test } from 'vitest'
import { soon } from '../../../test/support/expect.ts'
import { openMailServer } from '../../../test/support/mail-server.ts'
import { openShop } from '../../../test/support/shop.ts'
import { requestJobRun } from '../jobs/job-events.ts'
import { LETTERS } from './outbox.ts'

test('a server that goes away right after a letter uses up no try of the next one, which arrives later', async () => {
  const mail = await openMailServer()
  const shop = await openShop({ signups: true, settings: mail.settings })
  onTestFinished(async () => {
    await shop.close()
    await mail.stop()
  })
  await shop.signUp('ana')
  const waiting = () => shop.rows('select tries, failed_at, last_error from outbox where sent_at is null')
  await expect.poll(waiting, soon).toEqual([])
  await mail.stop()
  const ben = await shop.signUp('ben')
  await expect.poll(async () => (await waiting())[0]?.last_error, soon).toBeTruthy()
  expect(await waiting()).toMatchObject([{ tries: 0, failed_at: null }])
  await mail.start()
  await shop.rows('update outbox set due_at = now() where sent_at is null')
  requestJobRun(LETTERS)
  await expect.poll(waiting, soon).toEqual([])
  expect(mail.letters.map(({ recipients }) => recipients[0])).toEqual([expect.anything(), ben.user.email])
})
