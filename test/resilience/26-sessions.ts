import { type RealShop, withShop } from '../support/harness.ts'
import type { Person } from '../support/person.ts'
import { Faults, type Scenario } from '../support/scenario.ts'

const logIn = (browser: Person, { user, password }: Person) =>
  browser.post('/api/auth/login', { email: user.email, password })
const signedIn = async (browser: Person) => (await browser.get('/api/auth/')).status === 200

/** Session tokens: fixation, logout, flags, with either name of the cookie. */
async function sessions(shop: RealShop, faults: Faults, name: string): Promise<void> {
  const ana = await shop.signUp('ana')
  // Fixation: a planted token is not adopted.
  const browser = shop.visitor()
  const planted = `${name}=${'A'.repeat(43)}`
  browser.cookie = planted
  const login = await logIn(browser, ana)
  const first = browser.cookie
  faults.expect(first !== planted && first.startsWith(`${name}=`), `the cookie is ${first.split('=')[0]}`)
  await logIn(browser, ana)
  faults.expect(browser.cookie !== first, 'the same token at the next login')
  faults.expect(!(await signedIn(browserWith(shop, first))), 'the token before the login still opens')
  // Invalid after logout.
  const last = browser.cookie
  await browser.get('/api/auth/logout')
  faults.expect(!(await signedIn(browserWith(shop, last))), 'the token opens after logout')
  const flags = String([login.headers['set-cookie']].flat()[0]).split('; ').slice(1)
  for (const flag of [
    'HttpOnly',
    'SameSite=Lax',
    'Path=/',
    ...(name.startsWith('__Host-') ? ['Secure'] : []),
  ])
    faults.expect(flags.includes(flag), `the cookie lacks ${flag}`)
  faults.expect(!flags.some(flag => flag.startsWith('Domain')), 'the cookie has a domain')
}

function browserWith(shop: RealShop, cookie: string): Person {
  const browser = shop.visitor()
  browser.cookie = cookie
  return browser
}

/** Every value of a database dump about sessions and accounts, tried as token and as password. */
async function dump(shop: RealShop, faults: Faults): Promise<number> {
  const ana = await shop.signUp('ana')
  const tables = ['sessions', 'users']
  const rows = (
    await Promise.all(tables.map(table => shop.rows(`select to_jsonb(t) as row from ${table} t`)))
  ).flat()
  const values = rows.flatMap(({ row }) => Object.values(row as object).map(String))
  const tries = values
    .flatMap(value => [value, value.replace(/^\\x/, ''), fromHex(value)])
    .filter(value => /^[\x21-\x7e]{8,}$/.test(value))
  for (const value of new Set(tries)) {
    faults.expect(
      !(await signedIn(browserWith(shop, `session=${value}`))),
      'a value of the dump opens a session',
    )
    const { status } = await shop
      .visitor()
      .post('/api/auth/login', { email: ana.user.email, password: value.slice(0, 20) })
    faults.expect(status === 401, `a value of the dump as a password: ${status}`)
  }
  return new Set(tries).size
}

/** Stored bytes, encoded as a token. */
const fromHex = (value: string) => Buffer.from(value.replace(/^\\x/, ''), 'hex').toString('base64url')

export const scenario: Scenario = {
  risk: 'sessions',
  promise:
    'fixation, reuse after logout, flags, database dump: new token at login, invalid after logout, HttpOnly, SameSite, Secure and __Host- on https; a dump cannot be used to log in',
  async run() {
    const faults = new Faults()
    const tried = await withShop({}, async shop => {
      await sessions(shop, faults, 'session')
      return dump(shop, faults)
    })
    await withShop({ PUBLIC_URL: 'https://thrum.example' }, shop => sessions(shop, faults, '__Host-session'))
    return faults.outcome(
      `a new token at each login, invalid after logout and after the next login; HttpOnly, SameSite=Lax, on https Secure and __Host-; ${tried} values of a dump were refused`,
    )
  },
}
