import { expect, onTestFinished, test } from 'vitest'
import { soon, times } from '../../../test/support/expect.ts'
import { openMailServer } from '../../../test/support/mail-server.ts'
import { openShop } from '../../../test/support/shop.ts'
import { requestJobRun } from '../jobs/job-events.ts'
import { LETTERS } from './outbox.ts'

const MANY = 60

test('processes that send at the same time send every letter once', async () => {
  const mail = await openMailServer()
  const first = await openShop({ settings: mail.settings })
  const others = await times(2, () => openShop({ settings: mail.settings, database: first.database }))
  onTestFinished(async () => {
    for (const shop of [...others, first]) await shop.close()
    await mail.stop()
  })
  const ana = await first.signUp('ana')
  await first.rows(
    `insert into outbox (kind, subject, recipient) select 'welcome', n, ${ana.user.id} from generate_series(1, ${MANY}) as n`,
  )
  // Wakes all three: they are in one process of the tests.
  requestJobRun(LETTERS)
  const sent = async () => (await first.rows('select count(sent_at)::int as sent from outbox'))[0].sent
  await expect.poll(sent, { ...soon, timeout: 30_000 }).toBe(MANY)
  expect(mail.letters).toHaveLength(MANY)
  const rows = await first.rows('select id from outbox')
  expect(mail.letters.map(({ messageId }) => messageId).sort()).toEqual(
    rows.map(({ id }) => `<${id}@shop.example>`).sort(),
  )
})
