import { type RealShop, until, withShop } from '../support/harness.ts'
import type { MailServer } from '../support/mail-server.ts'
import { allSent, buy, checkLetters, SENT_TOGETHER, withMailServer } from '../support/resilience/letters.ts'
import { Faults, type Scenario } from '../support/scenario.ts'

/** Kills between a sale and its letters. */
const CRASHES = 10
/** Kills while the mail server has a letter in its hands: half of them before it has accepted it, half after. */
const CUTS = 8
/** Time limit until all letters have arrived: a run each minute, and the start of processes, ms. */
const SENT_MS = 100_000

/** Kills all processes of the shop. */
async function kill(shop: RealShop): Promise<void> {
  const pids = shop.serving()
  const killed = shop.kill()
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It was the killed process itself.
    }
  }
  await killed
}

/** Starts the killed shop again. The letters that it had claimed are due at once. */
async function restart(shop: RealShop): Promise<void> {
  const killed = Date.now()
  await shop.start()
  // Instead of waiting for the end of the lease: leases of new processes end later than those of the killed ones.
  await shop.rows(
    `update outbox set due_at = now()
     where due_at > now() and due_at <= to_timestamp(${killed / 1000}) + interval '3 minutes'`,
  )
}

/** Kills the shop while the mail server has a letter, about this sale or an earlier one. */
async function cut(
  shop: RealShop,
  mail: MailServer,
  at: 'before' | 'after',
  sell: () => Promise<unknown>,
): Promise<void> {
  const killed = Promise.withResolvers<void>()
  mail.interrupt = { at, work: () => kill(shop).then(killed.resolve, killed.reject) }
  // A letter that was left by the cut before may be the one, in the middle of this sale.
  await sell().catch(() => {})
  await until(SENT_MS, async () => !shop.alive())
  await killed.promise
  await restart(shop)
}

export const scenario: Scenario = {
  risk: 'letters and crashes',
  slow: true,
  promise:
    'kill -9 between a sale and its letters, 10 times, and while the mail server has a letter, 8 times: each letter arrives once; an interrupted one may arrive again with the same Message-ID',
  run: () =>
    withMailServer(mail =>
      withShop(mail.settings, async shop => {
        const faults = new Faults()
        const [seller, buyer] = [await shop.signUp('seller'), await shop.signUp('buyer')]
        const { id } = await shop.list(seller, { stock: 1_000 })
        const processes = shop.serving().length
        let unsent = 0
        for (let n = 0; n < CRASHES; n++) {
          const order = await buy(buyer, id)
          await kill(shop)
          if (!mail.letters.some(({ subject }) => subject === `Your order ${order.id}`)) unsent++
          await restart(shop)
        }
        faults.expect(unsent >= CRASHES / 2, 'most letters were sent before the kill')
        await shop.signUp('waker')
        await allSent(shop, SENT_MS)
        for (let n = 0; n < CUTS; n++)
          await cut(shop, mail, n % 2 === 0 ? 'before' : 'after', () => buy(buyer, id))
        // An account wakes the job that sends letters.
        await shop.signUp('last')
        await allSent(shop, SENT_MS)
        const { letters, copies } = await checkLetters(shop, mail, faults)
        faults.expect(copies >= CUTS / 2, 'a letter that was accepted before the kill did not come again')
        faults.expect(copies <= CUTS * SENT_TOGETHER * processes, `${copies} copies`)
        return faults.outcome(
          `${CRASHES} kills after a sale (its letters unsent ${unsent} times) and ${CUTS} during a delivery: all ${letters} letters arrived, and ${copies} copies with the same Message-ID`,
        )
      }),
    ),
}
