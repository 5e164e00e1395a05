import { expect } from 'vitest'
import { requestJobRun } from '#platform/jobs/job-events.ts'
import { LETTERS } from '#platform/mail/outbox.ts'
import { soon } from './expect.ts'
import { type MailServer, openMailServer } from './mail-server.ts'
import { openShop, type TestShop } from './shop.ts'

/** A shop whose people have confirmed their addresses, with a server for its letters. Closing the shop stops both. */
export async function openShopWithMail(): Promise<{ shop: TestShop; mail: MailServer }> {
  const mail = await openMailServer()
  const shop = await openShop({ settings: mail.settings, confirmed: true })
  const close = async () => {
    await shop.close()
    await mail.stop()
  }
  return { mail, shop: { ...shop, close } }
}

/** Sends the letters of a shop now that wait until something can no longer be undone. */
export async function sendWaiting(shop: Pick<TestShop, 'rows'>): Promise<void> {
  await shop.rows('update outbox set due_at = now() where due_at > now() and tries = 0')
  requestJobRun(LETTERS)
}

/**
 * Sends letters of a shop once more, as after a process that died before their rows said that they were sent. A letter
 * arrives before its row says so: this waits for the row.
 * @param which condition on `outbox`
 */
export async function sendAgain(shop: Pick<TestShop, 'rows'>, which: string): Promise<void> {
  const underWay = () => shop.rows(`select id from outbox where ${which} and due_at is not null`)
  await expect.poll(underWay, soon).toEqual([])
  await shop.rows(`update outbox set sent_at = null, due_at = now() where ${which}`)
  requestJobRun(LETTERS)
}
