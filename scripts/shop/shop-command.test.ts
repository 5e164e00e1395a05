import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseUrlOf } from '../../test/support/database-url.ts'
import { openShop, type Person, type TestShop } from '../../test/support/shop.ts'

const root = join(import.meta.dirname, '../..')

let shop: TestShop
let ana: Person
let folder: string
beforeAll(async () => {
  shop = await openShop()
  ana = await shop.signUp('ana')
  folder = await mkdtemp(join(tmpdir(), 'shop-command-'))
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true })
})

/** Runs `npm run shop`, beside the running shop. */
async function run(...args: string[]): Promise<{ code: number; out: string }> {
  const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: databaseUrlOf(shop) }
  return promisify(execFile)('npm', ['run', '--silent', 'shop', '--', ...args], { cwd: root, env }).then(
    ({ stdout }) => ({ code: 0, out: stdout.trim() }),
    ({ code, stderr }) => ({ code, out: String(stderr).trim() }),
  )
}

test('without a command, or with a wrong one, it lists them', async () => {
  for (const args of [
    [],
    ['hide'],
    ['hide-listing'],
    ['log', 'all'],
    ['log', 'all', 'of', 'it'],
    ['--reasons'],
  ]) {
    const { code, out } = await run(...args)
    expect(code).toBe(1)
    expect(out).toContain('hide-listing ID --reason TEXT [--rule TEXT]\n      hides a listing')
    expect(out).not.toContain('.ts:')
  }
  expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('hides a listing') })
})

test('an option that a command does not take is refused, and so is a reason without text', async () => {
  expect(await run('show-listing', '1', '--reason', 'x', '--rule', 'Be kind')).toEqual({
    code: 1,
    out: 'show-listing takes no --rule',
  })
  expect(await run('log', '--reason', 'x')).toEqual({ code: 1, out: 'log takes no --reason' })
  const empty = { code: 1, out: 'Please give a reason: --reason TEXT' }
  expect(await run('operator', 'add', ana.user.email, '--reason', ' ')).toEqual(empty)
  expect(await run('reset-password', ana.user.email, '--reason', '')).toEqual(empty)
})

test('it names the first operator, who then finds the pages', async () => {
  expect(await run('operator', 'list')).toEqual({
    code: 0,
    out: 'There is no operator: npm run shop -- operator add EMAIL',
  })
  expect((await run('operator', 'add', 'nobody@example.com')).out).toBe(
    'Nobody has an account with this address. They sign up first',
  )
  expect((await ana.get('/api/operate/session')).status).toBe(404)
  expect(await run('operator', 'add', ana.user.email)).toEqual({
    code: 0,
    out: `${ana.name} is an operator now, and finds the pages for it under Settings. The address is not confirmed: make sure that the account is theirs`,
  })
  expect((await ana.get('/api/operate/session')).status).toBe(200)
  expect((await run('operator', 'list')).out).toContain(`${ana.name} <${ana.user.email}> since 20`)
  expect((await run('operator', 'remove', ana.user.email)).code).toBe(0)
  expect((await ana.get('/api/operate/session')).status).toBe(404)
})

test('a hidden listing is gone from the running shop within a second, and its maker reads why', async () => {
  const { id } = await shop.list(ana, { name: 'Indigo bowl' })
  const listed = async () => (await fetch(`${shop.address}/`)).text()
  expect(await listed()).toContain('Indigo bowl')
  expect((await run('hide-listing', String(id))).out).toBe('Please give a reason: --reason TEXT')
  const because = ['--reason', 'A copy', '--rule', 'No copies']
  expect((await run('hide-listing', String(id), ...because)).out).toBe(`${id} is hidden`)
  expect((await run('log')).out).toMatch(/, A copy, rule: No copies$/m)
  await expect.poll(listed, { timeout: 1_000 }).not.toContain('Indigo bowl')
  expect((await ana.get('/api/notices/')).body.notices).toMatchObject([{ reason: 'A copy' }])
  expect((await run('show-listing', String(id), '--reason', 'A mistake')).code).toBe(0)
  await expect.poll(listed, { timeout: 1_000 }).toContain('Indigo bowl')
  expect((await run('hide-listing', '999999999', '--reason', 'x')).out).toBe('There is no such listing')
  expect((await run('log')).out).toMatch(
    new RegExp(
      `a command showed a listing again, listing ${id}, of or about ${ana.user.username}, A mistake\n`,
    ),
  )
})

test('a hidden reply is gone from the running shop within a second, until it is shown again', async () => {
  const { id } = await shop.list(ana)
  const ben = await shop.signUp('ben')
  const review = (await ben.post(`/api/reviews/${id}/create-review`, { review: 'Cracked.', stars: 1 })).body
    .id
  await ana.put(`/api/reviews/${review}/reply`, { reply: 'You dropped it, you fool.' })
  const page = async () => (await fetch(`${shop.address}/products/${id}`)).text()
  expect(await page()).toContain('you fool')
  expect((await run('hide-reply', String(review))).out).toBe('Please give a reason: --reason TEXT')
  const because = ['--reason', 'An insult', '--rule', 'Be kind']
  expect((await run('hide-reply', String(review), ...because)).out).toBe(`${review} has its reply hidden`)
  await expect.poll(page, { timeout: 1_000 }).not.toContain('you fool')
  expect((await run('hide-reply', String(review), ...because)).out).toBe('This reply is hidden already')
  expect((await run('show-reply', String(review), '--reason', 'A mistake')).code).toBe(0)
  await expect.poll(page, { timeout: 1_000 }).toContain('you fool')
  expect((await run('hide-reply', '999999999', ...because)).out).toBe('There is no such reply')
})

test('somebody is suspended and restored by username or address, ignoring case', async () => {
  expect((await run('suspend', ana.user.username.toUpperCase(), '--reason', 'Fraud')).code).toBe(0)
  expect((await run('suspend', ana.user.email, '--reason', 'x')).out).toBe('They are suspended already')
  expect((await run('restore', ana.user.email.toUpperCase(), '--reason', 'All is well')).code).toBe(0)
  expect((await run('suspend', 'nobody', '--reason', 'x')).out).toBe(
    'Nobody has the address or username nobody',
  )
  const eve = await shop.signUp('eve')
  await shop.rows(`update users set username = 'eve@home' where id = ${eve.user.id}`)
  expect((await run('suspend', 'eve@home', '--reason', 'Fraud')).code).toBe(0)
})

test('it prints a link with which somebody sets a new password', async () => {
  const { out } = await run('reset-password', ana.user.email)
  const token = new URL(out).searchParams.get('token')
  const body = { token, new_password: 'secret-2' }
  expect((await shop.visitor().post('/api/auth/reset-password', body)).status).toBe(200)
})

test('it exports the orders of all makers into a file that only its owner reads, and overwrites none', async () => {
  const mila = await shop.signUp('mila')
  const ben = await shop.signUp('ben')
  const { id } = await shop.list(mila, { name: 'Walnut spoon', stock: 2 })
  await ben.post(`/api/cart_items/add/${id}`, { quantity: 2 })
  const order = (await ben.post('/api/orders/checkout')).body.id
  const file = join(folder, 'orders.csv')
  expect((await run('export-orders', file)).code).toBe(0)
  const [head = '', row = ''] = (await readFile(file, 'utf8')).trim().split(/\r?\n/)
  expect(head).toMatch(/^\uFEFF?"?Maker"?,"?Order/)
  for (const part of [mila.user.username, String(order), '2 × Walnut spoon', ben.name])
    expect(row).toContain(part)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const exports = () => shop.rows(`select id from operator_log where action = 'orders-exported'`)
  const before = await exports()
  expect((await run('export-orders', file)).code).toBe(1)
  expect((await run('export-orders', join(folder, 'nowhere/orders.csv'))).code).toBe(1)
  expect(await exports()).toEqual(before)
})
