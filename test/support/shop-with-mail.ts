import { requestJobRun } from '#platform/jobs/job-events.ts'
import { LETTERS } from '#platform/mail/outbox.ts'
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
