import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { withShop } from './ground.ts'
import { Faults, type Row } from './row.ts'

const PASSWORD = 'canary-pass-4711'

/** What npm says of known holes in the packages; undefined where it cannot be asked from here. */
function advisories(): { high: number; all: number } | undefined {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
    cwd: join(import.meta.dirname, '..'),
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

export const row: Row = {
  risk: 'logs, supply chain',
  promise:
    'canary password and cookie; line breaks in input; npm audit: 0 canaries; logins and refusals are logged; 0 high advisories',
  run: () =>
    withShop({ LOG_LEVEL: 'debug', LIMITS: 'on' }, async shop => {
      const faults = new Faults()
      const ana = await shop.signUp('ana')
      const [, token = ''] = ana.cookie.split('=')
      const visitor = shop.visitor()
      const login = (email: string, password: string) => visitor.post('/api/auth/login', { email, password })
      await login(ana.user.email, PASSWORD)
      await login(`a@b.example\n{"level":60,"msg":"forged"}`, PASSWORD)
      await visitor.post('/api/auth/signup', { email: 'x', password: PASSWORD, username: 'a\r\nforged' })
      await login(ana.user.email, ana.password)
      for (let n = 0; n < 12; n++) await login('nobody@example.com', PASSWORD)
      await ana.get(`/api/products/1%0d%0aforged?x=${encodeURIComponent('\r\nforged')}`, {
        authorization: `Bearer ${PASSWORD}`,
        'user-agent': PASSWORD,
      })
      await ana.post('/api/products/', '{"broken', { 'x-secret': token })
      // A failure of our own tells most.
      await shop.rows('alter table orders rename to orders_gone')
      const failed = await ana.get('/api/orders/')
      await shop.rows('alter table orders_gone rename to orders')
      const log = shop.log
      const lines = log.split('\n').filter(Boolean)
      const canaries = [PASSWORD, token, ana.password].filter(canary => log.includes(canary))
      faults.expect(failed.status === 500 && log.includes('orders'), 'the failure is not in the log')
      faults.expect(canaries.length === 0, `${canaries.length} canaries in the log`)
      const forged = lines.filter(line => /^(?:forged|\{"level":60,"msg":"forged")/.test(line))
      faults.expect(forged.length === 0, 'a line was forged')
      faults.expect(/login/i.test(log), 'logins are not logged')
      faults.expect(/refused|too many/i.test(log), 'refusals are not logged')
      const found = advisories()
      if (found) faults.expect(found.high === 0, `${found.high} high advisories`)
      const audit = found ? `npm audit: ${found.high} high of ${found.all}` : 'npm audit: not run'
      const unseen = found ? undefined : 'the registry does not answer npm audit'
      return {
        ...faults.outcome(
          `${lines.length} lines, ${canaries.length} canaries, ${forged.length} forged; ${audit}`,
        ),
        unseen,
      }
    }),
}
