import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RealShop, withShop } from '../support/harness.ts'
import { times } from '../support/person.ts'
import { withMailServer } from '../support/resilience/letters.ts'
import { Faults, milliseconds, percentile, type Scenario } from '../support/scenario.ts'

const LETTERS = 10_000
const RECIPIENTS = 20
/** How long requests are measured, before and during the sending, ms. */
const MEASURE_MS = 60_000
/** One request after the other, with this pause, ms. */
const PAUSE_MS = 20
/** A process may grow by this much, MB, and p99 by this much, ms. */
const GROWTH_MB = 50
const SLOWER_MS = 100

/** Resident memory of a process, bytes. */
const rss = (pid: number) => 4096 * Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
const memoryOf = (shop: RealShop) => Math.max(...shop.serving().map(rss))

/** Reads pages, and a call that queries the database each time. @returns durations, ms, and the largest memory, bytes */
async function measure(
  shop: RealShop,
  listing: number,
  faults: Faults,
): Promise<{ took: number[]; memory: number }> {
  const took: number[] = []
  let memory = 0
  const visitor = shop.visitor()
  const until = performance.now() + MEASURE_MS
  for (let n = 0; performance.now() < until; n++) {
    const began = performance.now()
    const { status } = await visitor.get(
      ['/', `/products/${listing}`, `/api/products/?max=${n + 1}`][n % 3] ?? '/',
    )
    took.push(performance.now() - began)
    faults.expect(status === 200, `a page: ${status}`)
    if (n % 50 === 0) memory = Math.max(memory, memoryOf(shop))
    await sleep(PAUSE_MS)
  }
  return { took, memory }
}

export const scenario: Scenario = {
  risk: 'many letters',
  timed: true,
  slow: true,
  promise:
    '10,000 letters wait. In the first minute of sending no process grows by 50 MB, pages are as fast as before, and no letter arrives twice',
  run: () =>
    withMailServer(mail =>
      withShop(mail.settings, async shop => {
        const faults = new Faults()
        const people = await times(RECIPIENTS, () => shop.signUp('reader'))
        const { id } = await shop.list(await shop.signUp('maker'), { stock: 10 })
        const before = await measure(shop, id, faults)
        const ids = people.map(({ user }) => user.id).join(',')
        await shop.rows(
          `insert into outbox (kind, subject, recipient)
           select 'welcome', 1000000 + n, (array[${ids}])[1 + n % ${RECIPIENTS}] from generate_series(1, ${LETTERS}) as n`,
        )
        await shop.signUp('last')
        const arrived = mail.letters.length
        const meanwhile = await measure(shop, id, faults)
        const sent = mail.letters.length - arrived
        const [{ waiting }] = await shop.rows(
          'select count(*)::int as waiting from outbox where sent_at is null',
        )
        const different = new Set(mail.letters.map(({ messageId }) => messageId))
        faults.expect(sent > 200, `only ${sent} letters were sent`)
        faults.expect(
          different.size === mail.letters.length,
          `${mail.letters.length - different.size} copies`,
        )
        const grown = (meanwhile.memory - before.memory) / 2 ** 20
        faults.expect(grown < GROWTH_MB, 'too much memory')
        const [usual, slow] = [before, meanwhile].map(({ took }) => percentile(99, took))
        faults.expect((slow ?? 0) < 2 * (usual ?? 0) + SLOWER_MS, 'pages were slower')
        return faults.outcome(
          `${sent} letters in ${MEASURE_MS / 1000} s, each once, ${waiting} still waiting; the largest process grew by ${Math.round(grown)} MB; p50 of pages ${milliseconds(percentile(50, before.took))} before and ${milliseconds(percentile(50, meanwhile.took))} meanwhile, p99 ${milliseconds(usual ?? 0)} and ${milliseconds(slow ?? 0)}`,
        )
      }),
    ),
}
