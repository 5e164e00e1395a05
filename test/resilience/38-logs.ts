import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { withShop } from '../support/harness.ts'
import type { TestResponse } from '../support/person.ts'
import { Faults, type Scenario } from '../support/scenario.ts'

const PASSWORD = 'canary-pass-4711'

interface Advisories {
  high: number
  all: number
}

/** Advisories by npm audit, of all packages or production ones; undefined if unavailable. */
function advisories(...options: string[]): Advisories | undefined {
  const { stdout } = spawnSync('npm', ['audit', '--json', ...options], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    timeout: 60_000,
  })
  try {
    const { vulnerabilities } = JSON.parse(stdout).metadata
    return { high: vulnerabilities.high + vulnerabilities.critical, all: vulnerabilities.total }
  } catch {
    return undefined
  }
}

/** A line of the log; `text` if it is no JSON. */
type Line = { text: string } & Partial<Record<'msg' | 'reqId' | 'route' | 'ip', string>> &
  Partial<Record<'level' | 'user' | 'status', number>>

function read(text: string): Line {
  try {
    return { text, ...JSON.parse(text) }
  } catch {
    return { text }
  }
}

export const scenario: Scenario = {
  risk: 'logs, supply chain',
  slow: true,
  promise:
    'canary password and cookie; line breaks in input; npm audit: 0 canaries; logins and refusals are logged; 0 high advisories',
  run: () =>
    withShop({ LOG_LEVEL: 'debug', LIMITS: 'on' }, async shop => {
      const faults = new Faults()
      const ana = await shop.signUp('ana')
      const [, token = ''] = ana.cookie.split('=')
      const visitor = shop.visitor()
      const login = (email: string, password: string) => visitor.post('/api/auth/login', { email, password })
      const wrong = await login(ana.user.email, PASSWORD)
      await login(`a@b.example\n{"level":60,"msg":"forged"}`, PASSWORD)
      await visitor.post('/api/auth/signup', { email: 'x', password: PASSWORD, username: 'a\r\nforged' })
      const right = await login(ana.user.email, ana.password)
      const [, later = ''] = visitor.cookie.split('=')
      const guesses: TestResponse[] = []
      for (let n = 0; n < 12; n++) guesses.push(await login('nobody@example.com', PASSWORD))
      await ana.get(`/api/products/1%0d%0aforged?x=${encodeURIComponent('\r\nforged')}`, {
        authorization: `Bearer ${PASSWORD}`,
        'user-agent': PASSWORD,
      })
      await ana.post('/api/products/', '{"broken', { 'x-secret': token })
      const foreign = await ana.post('/api/products/', {}, { origin: 'https://evil.example' })
      // An unexpected failure logs most.
      await shop.rows('alter table orders rename to orders_gone')
      const failed = await ana.get('/api/orders/')
      await shop.rows('alter table orders_gone rename to orders')

      const log = shop.log
      const lines = log.split('\n').filter(Boolean).map(read)
      /** Lines with the id of that request. */
      const linesOf = ({ headers }: TestResponse) =>
        lines.filter(({ reqId }) => reqId === headers['x-request-id'])
      const events: [
        name: string,
        answer: TestResponse,
        status: number,
        isLogged: (line: Line) => boolean,
      ][] = [
        ['the login', right, 200, ({ msg, user }) => msg === 'login' && user === ana.user.id],
        ['the wrong login', wrong, 401, ({ msg, level }) => msg === 'refused: a wrong login' && level === 40],
        ...guesses
          .slice(0, 10)
          .map((response): (typeof events)[number] => [
            'a guess',
            response,
            401,
            ({ msg }) => msg === 'refused: a wrong login',
          ]),
        ...guesses
          .slice(10)
          .map((response): (typeof events)[number] => [
            'a guess too many',
            response,
            429,
            ({ msg, status }) => status === 429 && /^refused: Too many tries/.test(msg ?? ''),
          ]),
        ['another site', foreign, 403, ({ msg, status }) => status === 403 && /^refused: /.test(msg ?? '')],
        ['the failure', failed, 500, ({ text, level }) => (level ?? 0) >= 50 && text.includes('orders')],
      ]
      for (const [name, response, status, isLogged] of events) {
        faults.expect(response.status === status, `${name}: ${response.status}`)
        faults.expect(linesOf(response).some(isLogged), `${name} is not in the log`)
      }
      const canaries = [PASSWORD, token, later, ana.password].filter(canary => log.includes(canary))
      faults.expect(canaries.length === 0, `${canaries.length} canaries in the log`)
      const forged = lines.filter(({ text, msg }) => /^forged/.test(text) || msg === 'forged')
      faults.expect(forged.length === 0, 'a line was forged')
      // After the start messages, each line is JSON.
      const opened = lines.findLastIndex(({ text }) =>
        /^(The shop is open at|Nobody runs this shop)/.test(text),
      )
      const broken = lines.slice(opened + 1).filter(({ level }) => level === undefined)
      faults.expect(opened >= 0 && broken.length === 0, `${broken.length} lines are no entries`)

      const [all, running] = [advisories(), advisories('--omit=dev')]
      faults.expect((all?.high ?? 0) === 0 && (running?.high ?? 0) === 0, 'high advisories')
      const audit =
        all && running
          ? `npm audit: ${running.high} high of ${running.all} in what the shop runs with, ${all.high} of ${all.all} in all packages`
          : 'npm audit: the registry did not answer, so advisories are unknown'
      return {
        ...faults.outcome(
          `${lines.length} lines, ${canaries.length} canaries, ${forged.length} forged; ${events.length} logins, refusals and failures, each found by the id of its request; ${audit}`,
        ),
        unchecked: all && running ? undefined : 'the registry does not answer npm audit',
      }
    }),
}
