import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { withPostgres } from '../support/external-postgres.ts'
import { launchShop, withShop } from '../support/harness.ts'
import { countStatuses } from '../support/person.ts'
import { each, Faults, formatCounts, percentile, type Scenario, wholeWindow } from '../support/scenario.ts'

const GUESSES = 1_000
const TIMINGS = 200
/** Allowed difference of the medians, ms. */
const MAX_DIFFERENCE_MS = 5

/** Wrong passwords for one account, through two processes with one database. */
async function guesses(faults: Faults): Promise<string> {
  return withPostgres(async (DATABASE_URL, folder) => {
    const settings = { DATABASE_URL, LIMITS: 'on' }
    const [one, two] = [
      await launchShop(`${folder}/one`, settings),
      await launchShop(`${folder}/two`, settings),
    ]
    try {
      const ana = await one.signUp('ana')
      const responses: Awaited<ReturnType<typeof ana.get>>[] = []
      await wholeWindow('guesses', 90_000)
      await each(Array(GUESSES).keys(), 8, async n => {
        const person = (n % 2 ? one : two).visitor()
        responses.push(
          await person.post('/api/auth/login', { email: ana.user.email, password: `wrong-${n}` }),
        )
      })
      const counts = countStatuses(responses)
      const later = responses.filter(({ status }) => status === 429)
      faults.expect(
        (counts[401] ?? 0) <= 10 && later.length === GUESSES - (counts[401] ?? 0),
        formatCounts(counts),
      )
      faults.expect(
        later.every(({ headers }) => Number(headers['retry-after']) > 0),
        '429 without Retry-After',
      )
      const right = await two
        .visitor()
        .post('/api/auth/login', { email: ana.user.email, password: ana.password })
      faults.expect(right.status === 429, `the right password after that: ${right.status}`)
      return `two processes, ${formatCounts(counts)} with Retry-After`
    } finally {
      await one.stop()
      await two.stop()
    }
  })
}

/** CPU time of a process with all its threads, ms; undefined if unknown. */
function computedBy(pid: number): number | undefined {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return undefined
  const nanoseconds = readdirSync(tasks).map(task => readFileSync(`${tasks}/${task}/schedstat`, 'utf8'))
  return nanoseconds.reduce((sum, text) => sum + Number.parseInt(text, 10) / 1e6, 0)
}

/** Duration of wrong logins for a known and an unknown account, alternating. */
async function timings(faults: Faults): Promise<string> {
  return withShop({}, async shop => {
    const ana = await shop.signUp('ana')
    const took: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    const computed: typeof took = { known: [], unknown: [] }
    const bodies = new Set<string>()
    for (let n = 0; n < TIMINGS; n++) {
      for (const kind of n % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const email = kind === 'known' ? ana.user.email : `nobody-${n}@example.com`
        const before = computedBy(shop.pid())
        const began = performance.now()
        const { status, body } = await shop.visitor().post('/api/auth/login', { email, password: 'wrong-1' })
        took[kind].push(performance.now() - began)
        computed[kind].push((computedBy(shop.pid()) ?? Number.NaN) - (before ?? 0))
        bodies.add(`${status} ${JSON.stringify(body)}`)
      }
    }
    const [known, unknown] = [percentile(50, took.known), percentile(50, took.unknown)]
    faults.expect(Math.abs(known - unknown) < MAX_DIFFERENCE_MS, 'the medians differ')
    faults.expect(bodies.size === 1, `${bodies.size} different responses`)
    // CPU time does not depend on other load.
    const work = [computed.known, computed.unknown].map(all => percentile(50, all).toFixed(1))
    return `medians ${known.toFixed(1)} and ${unknown.toFixed(1)} ms (computing ${work.join(' and ')} ms), the same body`
  })
}

export const scenario: Scenario = {
  risk: 'password guessing',
  timed: true,
  promise:
    '1,000 wrong logins; 200 timings of known and unknown e-mails: 429 with Retry-After; medians within 5 ms; the same body',
  async run() {
    const faults = new Faults()
    const figures = [await guesses(faults), await timings(faults)]
    return faults.outcome(figures.join('; '))
  },
}
