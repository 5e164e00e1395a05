import { createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RealShop, until, withShop } from '../support/harness.ts'
import type { Person } from '../support/person.ts'
import { allSent, buy, checkLetters, withMailServer } from '../support/resilience/letters.ts'
import { Faults, milliseconds, percentile, type Scenario } from '../support/scenario.ts'

const HOURS = 24
/** In these hours the server accepts connections and sends nothing. */
const HANGING = [8, 16]
const ORDERS_AN_HOUR = 10
/** Checkouts that are measured before. */
const BEFORE = HOURS * ORDERS_AN_HOUR
/** Time limits: of a try of a server that hangs, and until all letters have arrived, ms. */
const TRIED_MS = 60_000
const SENT_MS = 180_000
/** No checkout may take so long, ms: far less than any time limit of the mail. */
const SLOW_MS = 2_000

/** A server that accepts connections and sends nothing. */
async function openSilence(port: number): Promise<Server> {
  const server = createServer(() => {})
  await new Promise<void>(listening => server.listen(port, '127.0.0.1', listening))
  return server
}

/** Durations of checkouts, one after the other, ms. */
async function checkouts(buyer: Person, listing: number, count: number): Promise<number[]> {
  const durations: number[] = []
  for (let n = 0; n < count; n++) durations.push((await buy(buyer, listing)).took)
  return durations
}

/** Lets an hour pass for all letters that wait. One that a process is about to try has a count of 1, and stays its. */
const passHour = (shop: RealShop) =>
  shop.rows(
    `update outbox set created_at = created_at - interval '1 hour', due_at = now() where sent_at is null and tries = 0`,
  )

/** Waits until every letter was tried in vain. @returns the reasons in the rows */
async function tried(shop: RealShop): Promise<string[]> {
  let reasons: string[] = []
  await until(TRIED_MS, async () => {
    await sleep(200)
    const rows = await shop.rows(
      'select last_error, tries = 0 and due_at > now() as postponed from outbox where sent_at is null',
    )
    reasons = [...new Set<string>(rows.map(({ last_error }) => last_error))]
    return rows.every(({ postponed, last_error }) => postponed && last_error)
  })
  return reasons
}

export const scenario: Scenario = {
  risk: 'mail server away',
  timed: true,
  slow: true,
  promise:
    'the mail server refuses connections for a day, and hangs for two hours of it: no checkout waits, rows say why, no try is used up; afterwards each letter arrives once',
  run: () =>
    withMailServer(mail =>
      withShop(mail.settings, async shop => {
        const faults = new Faults()
        const [seller, buyer] = [await shop.signUp('seller'), await shop.signUp('buyer')]
        const { id } = await shop.list(seller, { stock: 10_000 })
        const pid = shop.pid()
        await checkouts(buyer, id, 50)
        const before = await checkouts(buyer, id, BEFORE)
        await allSent(shop, SENT_MS)

        await mail.stop()
        const meanwhile: number[] = []
        const reasons = new Set<string>()
        for (let hour = 0; hour < HOURS; hour++) {
          const silence = HANGING.includes(hour) ? await openSilence(mail.port) : undefined
          await passHour(shop)
          meanwhile.push(...(await checkouts(buyer, id, ORDERS_AN_HOUR)))
          for (const reason of await tried(shop)) reasons.add(reason)
          silence?.close()
        }
        const waiting = await shop.rows(
          'select id from outbox where failed_at is not null or (sent_at is null and tries > 0)',
        )
        faults.expect(waiting.length === 0, `${waiting.length} letters have used up a try, or have failed`)
        const words = [...reasons].join(', ').replace(/:\d+/g, '')
        faults.expect(/ECONNREFUSED/.test(words) && /greeting|timeout/i.test(words), `the rows have ${words}`)

        await mail.start()
        await passHour(shop)
        await shop.signUp('last')
        await allSent(shop, SENT_MS)
        const { letters, copies } = await checkLetters(shop, mail, faults)
        faults.expect(copies === 0, `${copies} copies`)
        faults.expect(shop.pid() === pid && shop.alive(), 'the process has ended')
        const [usual, away] = [percentile(50, before), percentile(50, meanwhile)]
        const longest = Math.max(...meanwhile)
        faults.expect(away < 2 * usual + 50 && longest < SLOW_MS, 'checkouts waited')
        return faults.outcome(
          `checkouts with the server p50 ${milliseconds(usual)}, p99 ${milliseconds(percentile(99, before))}; without it p50 ${milliseconds(away)}, p99 ${milliseconds(percentile(99, meanwhile))}, longest ${milliseconds(longest)}; the rows have ${words}; afterwards all ${letters} letters arrived, ${copies} copies`,
        )
      }),
    ),
}
