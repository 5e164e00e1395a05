import { DEMO } from '../../src/features/accounts/contract.ts'
import { withShop } from '../support/harness.ts'
import { countStatuses, newcomer, type Person } from '../support/person.ts'
import { each, Faults, formatCounts, type Scenario, wholeWindow } from '../support/scenario.ts'

const GUESSES = 1_000
const NETWORKS = 50

/** A login from a network, as the proxy reports it. */
const login = (person: Person, from: string, email: string, password: string) =>
  person.post('/api/auth/login', { email, password }, { 'x-forwarded-for': from })

export const scenario: Scenario = {
  risk: 'lockout by failed logins',
  promise:
    '1,000 wrong logins for an account from 50 networks, and for the demo account: at most 100 are verified, the rest get 429; its user logs in from a known browser and changes the password in a session; the demo login works',
  slow: true,
  run: () =>
    withShop({ LIMITS: 'on', DEMO: 'on', TRUST_PROXY: '1' }, async shop => {
      const faults = new Faults()
      const ana = await shop.signUp('ana')
      const phone = shop.visitor()
      const first = await login(phone, '10.0.0.1', ana.user.email, ana.password)
      faults.expect(first.status === 200, `the first login: ${first.status}`)
      await phone.get('/api/auth/logout')
      await shop.visitor().post('/api/auth/signup', { ...newcomer('demo'), ...DEMO })

      await wholeWindow('guesses', 90_000)
      const responses: { status: number }[] = []
      await each(Array(GUESSES).keys(), 8, async n => {
        const from = `192.0.2.${n % NETWORKS}`
        responses.push(await login(shop.visitor(), from, ana.user.email, `wrong-${n}`))
        if (n % 10 === 0) await login(shop.visitor(), from, DEMO.email, `wrong-${n}`)
      })
      const counts = countStatuses(responses)
      faults.expect(
        (counts[401] ?? 0) <= 100 && (counts[429] ?? 0) === GUESSES - (counts[401] ?? 0),
        formatCounts(counts),
      )
      const stranger = await login(shop.visitor(), '10.0.0.1', ana.user.email, ana.password)
      faults.expect(stranger.status === 429, `a browser that is new to the account: ${stranger.status}`)
      const back = await login(phone, '10.0.0.1', ana.user.email, ana.password)
      faults.expect(back.status === 200, `the browser that logged in before: ${back.status}`)
      const passwords = { current_password: ana.password, new_password: 'secret-2' }
      const changed = await ana.post('/api/auth/password', passwords)
      faults.expect(changed.status === 200, `the change of password: ${changed.status}`)
      const demo = await login(shop.visitor(), '192.0.2.1', DEMO.email, DEMO.password)
      faults.expect(demo.status === 200, `the demo login: ${demo.status}`)
      return faults.outcome(
        `${formatCounts(counts)}; then the known browser ${back.status}, the change of password ${changed.status}, the demo login ${demo.status}`,
      )
    }),
}
