import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { assertAuditOf, launchShop, withShop } from '../support/harness.ts'
import type { Settings } from '../support/launch.ts'
import type { MailServer } from '../support/mail-server.ts'
import { allSent, buy, withMailServer } from '../support/resilience/letters.ts'
import { Faults, type Scenario } from '../support/scenario.ts'

const root = join(import.meta.dirname, '../..')
const ORDERS = 5
const SENT_MS = 120_000

/** Runs `npm run backup` or `npm run restore`. @throws Error for another exit code than 0 */
async function npmRun(script: 'backup' | 'restore', dataDir: string, settings: Settings, file: string) {
  const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const env = { ...process.env, DATABASE_URL: '', ...settings, PATH, DATA_DIR: dataDir }
  await promisify(execFile)('npm', ['run', '--silent', script, '--', file], { cwd: root, env })
}

/** A backup of a shop whose letters were sent in part, and wait in part. @returns how many of each */
function backUp(mail: MailServer, file: string): Promise<{ sent: number; waiting: number }> {
  return withShop(mail.settings, async shop => {
    const [seller, buyer] = [await shop.signUp('seller'), await shop.signUp('buyer')]
    const { id } = await shop.list(seller, { stock: 100 })
    for (let n = 0; n < ORDERS; n++) await buy(buyer, id)
    await allSent(shop, SENT_MS)
    await mail.stop()
    for (let n = 0; n < ORDERS; n++) await buy(buyer, id)
    await npmRun('backup', shop.dataDir, mail.settings, file)
    const [counts] = await shop.rows(
      `select count(sent_at)::int as sent, count(due_at)::int as waiting from outbox`,
    )
    return counts
  })
}

async function restored(mail: MailServer, folder: string) {
  const faults = new Faults()
  const file = join(folder, 'shop.tar')
  const { sent, waiting } = await backUp(mail, file)
  faults.expect(waiting === 2 * ORDERS, `${waiting} letters waited at the backup`)
  const dataDir = join(folder, 'restored')
  await npmRun('restore', dataDir, mail.settings, file)
  await mail.start()
  const old = mail.letters.length
  const shop = await launchShop(dataDir, mail.settings)
  try {
    const [{ orders, queued }] = await shop.rows(
      'select (select count(*) from orders)::int as orders, (select count(due_at) from outbox)::int as queued',
    )
    faults.expect(queued === 0, `${queued} letters that wait were restored`)
    faults.expect(orders === 2 * ORDERS, `${orders} orders were restored`)
    const [seller, buyer] = [await shop.signUp('maker'), await shop.signUp('newcomer')]
    const order = await buy(buyer, (await shop.list(seller, { stock: 1 })).id)
    await allSent(shop, SENT_MS)
    const recipients = new Set([seller, buyer].map(({ user }) => user.email))
    const fresh = mail.letters.slice(old)
    const others = fresh.filter(letter => !letter.recipients.every(one => recipients.has(one)))
    faults.expect(others.length === 0, `${others.length} old letters were sent: ${others[0]?.subject}`)
    const subjects = fresh.map(({ subject }) => subject)
    faults.expect(
      fresh.length === 4 && subjects.includes(`Your order ${order.id}`),
      `new letters: ${subjects.join(', ')}`,
    )
    await assertAuditOf(shop, mail.settings)
    return faults.outcome(
      `a backup while ${sent} letters were sent and ${waiting} waited; restored with its ${orders} orders, it sent none of them, and all ${fresh.length} letters of new accounts and orders`,
    )
  } finally {
    await shop.stop()
  }
}

export const scenario: Scenario = {
  risk: 'letters and restore',
  slow: true,
  promise:
    'a backup while letters wait and after some were sent: restored, the shop sends nothing old, and all that is new',
  run: () =>
    withMailServer(async mail => {
      const folder = await mkdtemp(join(tmpdir(), 'thrum-faults-'))
      // As root, the database server runs as another account, which must be able to enter.
      await chmod(folder, 0o755)
      try {
        return await restored(mail, folder)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }),
}
