import { withPostgres } from '../support/external-postgres.ts'
import { type RealShop, withShop } from '../support/harness.ts'
import type { Person } from '../support/person.ts'
import { allSent, buy, checkLetters, withMailServer } from '../support/resilience/letters.ts'
import { each, Faults, type Scenario } from '../support/scenario.ts'

const METRICS_TOKEN = 'a-token-for-the-letters'
const PROCESSES = '4'
const BUYERS = 12
const ORDERS = 240
const SENT_MS = 120_000

/** Letters that the processes of this machine have sent. */
async function sentBy(shop: RealShop): Promise<number> {
  const { body } = await shop.visitor().get('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` })
  return Number(/^shop_letters_sent_total (\d+)$/m.exec(body)?.[1] ?? 0)
}

export const scenario: Scenario = {
  risk: 'letters of several machines',
  slow: true,
  promise:
    'two machines of four processes each on one database, 240 orders over all of them: every letter arrives once',
  run: () =>
    withMailServer(mail =>
      withPostgres(url => {
        const settings = {
          ...mail.settings,
          DATABASE_URL: url,
          WEB_CONCURRENCY: PROCESSES,
          DATABASE_POOL: '4',
          METRICS_TOKEN,
        }
        return withShop(settings, first =>
          withShop(settings, async second => {
            const faults = new Faults()
            const machines = [first, second]
            const seller = await first.signUp('seller')
            const { id } = await first.list(seller, { stock: ORDERS })
            const buyers: Person[] = []
            for (let n = 0; n < BUYERS; n++) buyers.push(await (n % 2 === 0 ? first : second).signUp('buyer'))
            await each(buyers, BUYERS, async buyer => {
              for (let n = 0; n < ORDERS / BUYERS; n++) await buy(buyer, id)
            })
            await allSent(first, SENT_MS)
            const { letters, copies } = await checkLetters(first, mail, faults)
            faults.expect(copies === 0, `${copies} copies`)
            const sent = await Promise.all(machines.map(sentBy))
            faults.expect(Math.min(...sent) > 0, 'only one machine has sent letters')
            return faults.outcome(
              `${ORDERS} orders on 2 × ${PROCESSES} processes: all ${letters} letters arrived, ${copies} copies; ${sent.join(' and ')} were sent by the machines`,
            )
          }),
        )
      }),
    ),
}
