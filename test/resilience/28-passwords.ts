import { argon2 } from 'node:crypto'
import { promisify } from 'node:util'
import { withShop } from '../support/harness.ts'
import type { Shop } from '../support/person.ts'
import { Faults, type Scenario, type Target } from '../support/scenario.ts'

const RULE = 'Password must be between 6 and 20 characters.'
const WRONG = 'The email or password is not correct'
/** Password → whether its length is allowed, in code points. */
const passwords: [string, boolean][] = [
  ['12345', false],
  ['123456', true],
  ['x'.repeat(20), true],
  ['x'.repeat(21), false],
  ['      ', true],
  [' padded  ', true],
  ['пароль', true],
  ['🧶🧶🧶🧶🧶', false],
  ['🧶🧶🧶🧶🧶🧶', true],
  ['🧶'.repeat(20), true],
  ['🧶'.repeat(21), false],
  ['日本語のパスワード', true],
  ["' or 1=1 --", true],
]

let count = 0
const signUp = (shop: Shop, password: string) => {
  const username = `maker-${process.pid}-${count++}`
  const email = `${username}@example.com`
  const fields = { email, username, first_name: 'Ana', last_name: 'Weaver', password }
  return shop
    .visitor()
    .post('/api/auth/signup', fields)
    .then(({ status, body }) => ({ status, body, email }))
}

async function each(shop: Target, faults: Faults, password: string, fits: boolean): Promise<void> {
  const { status, body, email } = await signUp(shop, password)
  if (!fits) {
    const isExplained = status === 400 && JSON.stringify(body) === JSON.stringify({ password: RULE })
    return faults.expect(isExplained, `${JSON.stringify(password)}: ${status} ${JSON.stringify(body)}`)
  }
  const logIn = async (tried: string) => shop.visitor().post('/api/auth/login', { email, password: tried })
  faults.expect(
    status === 201 && (await logIn(password)).status === 200,
    `${JSON.stringify(password)}: ${status}`,
  )
  // Nothing is truncated, trimmed or normalized.
  for (const other of [
    `${password} `,
    password.slice(0, -1),
    password.trim(),
    password.toUpperCase(),
    `${password}x`,
  ]) {
    if (other === password) continue
    const refused = await logIn(other)
    const isExplained = refused.status === 401 && refused.body.password === WRONG
    faults.expect(
      isExplained || refused.status === 400,
      `${JSON.stringify(other)} for ${JSON.stringify(password)}: ${refused.status}`,
    )
  }
}

/** Hashes a password with another one's salt and the required parameters. */
async function hashLike(stored: string, password: string): Promise<string> {
  const salt = stored.split('$')[1] ?? ''
  const cost = { memory: 19 * 1024, passes: 2, parallelism: 1, tagLength: 32 }
  const tag = await promisify(argon2)('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64url'),
    ...cost,
  })
  return `argon2id$${salt}$${tag.toString('base64url')}`
}

export const scenario: Scenario = {
  risk: 'passwords',
  promise:
    '5, 6, 20, 21 characters, spaces, Unicode: the specified messages, nothing truncated; argon2id (19 MiB, t = 2)',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      for (const [password, fits] of passwords) await each(shop, faults, password, fits)
      const { email } = await signUp(shop, 'known-1')
      const [{ password_hash: stored }] = await shop.rows(
        `select password_hash from users where email = '${email}'`,
      )
      faults.expect(
        stored === (await hashLike(stored, 'known-1')),
        'stored otherwise than by argon2id with 19 MiB and t = 2',
      )
      const hashes = (await shop.rows('select password_hash from users')).map(row => row.password_hash)
      faults.expect(new Set(hashes).size === hashes.length, 'two hashes are alike')
      return faults.outcome(
        `${passwords.length} passwords by the rule, none truncated, trimmed or normalized; stored as argon2id with 19 MiB and t = 2`,
      )
    }),
}
