import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hideListing } from '#moderation/decisions.ts'
import { openPool, transaction } from '../../src/platform/database/database.ts'
import { soon } from '../support/expect.ts'
import { launchShop, type RealShop } from '../support/harness.ts'
import { overNetwork } from '../support/network.ts'
import { countStatuses, type Person, shopAt } from '../support/person.ts'
import { Faults } from '../support/scenario.ts'
import { Writers } from '../support/writers.ts'

const METRICS_TOKEN = 'a-token-for-workers'

/** `npm start` with two processes on one port and a database of its own. */
let shop: RealShop
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp('/tmp/thrum-workers-')
  execFileSync('chmod', ['755', dataDir])
  shop = await launchShop(dataDir, { WEB_CONCURRENCY: '2', LIMITS: 'on', LIMIT_GUESSES: '3', METRICS_TOKEN })
}, 120_000)
afterAll(async () => {
  if (shop?.alive()) await shop.stop()
  for (const { agent } of lines) agent.destroy()
  await rm(dataDir, { recursive: true, force: true })
})

/** A keep-alive connection: all of its requests reach the same process. */
function line(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return { agent, wire: overNetwork(port, agent) }
}
let lines: ReturnType<typeof line>[] = []
beforeAll(connectAll)

/**
 * Opens six connections: the first three to one process, the others to the other. A stopped process (SIGSTOP)
 * accepts none.
 * @returns the two processes, in the order of their connections
 */
async function connectAll(): Promise<number[]> {
  for (const { agent } of lines) agent.destroy()
  lines = Array.from({ length: 6 }, () => line(shop.port))
  const both = workers()
  expect(both).toHaveLength(2)
  for (const [n, stopped] of both.toReversed().entries()) {
    process.kill(stopped, 'SIGSTOP')
    const opened = lines.slice(n * 3, n * 3 + 3)
    await Promise.all(opened.map(({ wire }) => wire({ method: 'GET', url: '/healthz' })))
    process.kill(stopped, 'SIGCONT')
  }
  return both
}

/** Pids of the workers. */
const workers = () =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map(row => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? [])
    .filter(([, , parent, args = '']) => Number(parent) === shop.pid() && args.includes('src/worker.ts'))
    .map(([, pid]) => Number(pid))

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** One user on each of the connections. */
function onEachLine(person: Person): Person[] {
  return lines.map(({ wire }) => {
    const same = shopAt(wire).visitor()
    same.cookie = person.cookie
    same.user = person.user
    return same
  })
}

test('metrics are the sum over all processes, whichever answers', async () => {
  await Promise.all(lines.map(({ wire }) => wire({ method: 'GET', url: '/robots.txt' })))
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  for (const { wire } of lines) {
    const { status, text } = await wire({ method: 'GET', url: '/metrics', headers })
    expect(status).toBe(200)
    expect(text).toContain(
      `shop_request_duration_seconds_count{method="GET",route="/robots.txt",status="200"} ${lines.length}\n`,
    )
  }
})

test('letters are counted once for all processes', async () => {
  await shop.rows(
    `insert into outbox (kind, subject, recipient, due_at, failed_at)
     select 'test', n, n, null, now() from generate_series(1, 3) as n`,
  )
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  for (const { wire } of lines) {
    const { text } = await wire({ method: 'GET', url: '/metrics', headers })
    expect(text).toContain('shop_letters{state="failed"} 3\n')
  }
})

test('read-your-writes holds in every process', async () => {
  const maker = await shop.signUp('maker')
  const { id, ...mug } = await shop.list(maker, { price: 1 })
  const everywhere = onEachLine(maker)
  const shown = (person: Person) => person.get(`/api/products/${id}`).then(({ body }) => body.price)
  const old: string[] = []
  for (let price = 2; price < 42; price++) {
    // Each process has it cached.
    await Promise.all(everywhere.map(shown))
    const [writer, ...others] = [...everywhere.slice(price % 6), ...everywhere.slice(0, price % 6)]
    const { status } = await writer!.put(`/api/products/${id}`, { ...mug, price, stock_shown: mug.stock })
    expect(status).toBe(200)
    for (const shownPrice of await Promise.all(others.map(shown)))
      if (shownPrice !== price) old.push(`${shownPrice} after ${price}`)
    if (price % 10 > 0) continue
    const pages = await Promise.all(
      others.map(person => person.get(`/products/${id}`, { accept: 'text/html' })),
    )
    for (const { body } of pages) expect(body).toContain(`$${price}.00`)
  }
  expect(old).toEqual([])
}, 120_000)

test('what an operator hides is gone in every process within a second', async () => {
  const maker = await shop.signUp('maker')
  const { id } = await shop.list(maker, { name: 'Hidden kettle' })
  const visitors = onEachLine(shop.visitor())
  const pages = ['/', '/search?q=kettle', `/shops/${maker.user.username}`, '/feeds/listings.atom']
  const showing = async () => {
    const all = visitors.flatMap(visitor => pages.map(page => visitor.get(page)))
    return (await Promise.all(all)).filter(({ body }) => String(body).includes('Hidden kettle')).length
  }
  // Each process has the pages cached.
  expect(await showing()).toBe(visitors.length * pages.length)
  const { db, close } = openPool(shop.connection(), 1)
  try {
    await transaction(db, db => hideListing(db, null, id, { reason: 'A copy', rule: '' }))
  } finally {
    await close()
  }
  await expect.poll(showing, { timeout: 1_000 }).toBe(0)
})

test('rate limits are shared', async () => {
  const ana = await shop.signUp('ana')
  const everywhere = onEachLine(ana)
  const responses = []
  for (let n = 0; n < 12; n++) {
    const guess = { email: ana.user.email, password: `wrong-${n}` }
    responses.push(await everywhere[n % everywhere.length]!.post('/api/auth/login', guess))
  }
  expect(countStatuses(responses)).toEqual({ 401: 3, 429: 9 })
})

test('a killed process loses its own connections, is replaced, and no acknowledged write is lost', async () => {
  const writers = new Writers(shop)
  await writers.arrive(3)
  const before = await connectAll()
  const sockets = lines.flatMap(({ agent }) => Object.values(agent.freeSockets).flat())
  expect(sockets).toHaveLength(lines.length)
  writers.begin()
  await vi.waitUntil(() => writers.acknowledged.orders > 10, soon)
  process.kill(before[0]!, 'SIGKILL')
  await vi.waitUntil(() => workers().length === 2 && !workers().includes(before[0]!), soon)
  const closed = () => sockets.map(socket => socket?.closed)
  await vi.waitUntil(() => closed().filter(Boolean).length >= 3, soon)
  expect(closed()).toEqual([true, true, true, false, false, false])
  const line = `Worker process ${before[0]} exited (SIGKILL); starting another`
  await vi.waitUntil(() => shop.log.includes(line), soon)
  const then = writers.acknowledged.orders
  await vi.waitUntil(() => writers.acknowledged.orders > then + 10, soon)
  await writers.end()
  const faults = new Faults()
  await writers.check(faults)
  expect(faults.found).toEqual([])
}, 120_000)

test('on stop, running requests finish, then all processes end and nothing is left behind', async () => {
  const database = Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  const ids = [shop.pid(), ...workers(), database]
  const { host } = shop.connection() as { host: string }
  expect([ids.length, existsSync(host)]).toEqual([4, true])
  const ben = await shop.signUp('ben')
  const { id } = await shop.list(ben, { stock: 30 })
  const body = JSON.stringify({ quantity: 1 })
  const under = await Promise.all(
    lines.map(({ agent }) => begin(agent, ben, `/api/cart_items/add/${id}`, body)),
  )
  const stopped = shop.stop()
  await vi.waitUntil(async () => (await knock()) === 'ECONNREFUSED', soon)
  const responses = await Promise.all(under.map(finish => finish()))
  expect(countStatuses(responses)).toEqual({ 201: lines.length })
  expect(await stopped).toMatchObject({ code: 0 })
  await vi.waitUntil(() => !ids.some(isThere) && !existsSync(host), soon)
}, 120_000)

/**
 * Sends a request without its body, after its head has arrived.
 * @returns sends the body and resolves with the response
 */
async function begin(agent: Agent, { cookie }: Person, path: string, body: string) {
  const sent = request({
    host: '127.0.0.1',
    port: shop.port,
    agent,
    method: 'POST',
    path,
    headers: {
      cookie,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  })
  sent.flushHeaders()
  await once(sent, 'continue')
  return async () => {
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return { status: response.statusCode ?? 0 }
  }
}

/** Whether the port accepts: 'open', or the error. */
const knock = () =>
  new Promise<string>(resolve => {
    const socket = connect(shop.port, '127.0.0.1', () => socket.destroy())
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code))
    socket.once('close', () => resolve('open'))
  })
