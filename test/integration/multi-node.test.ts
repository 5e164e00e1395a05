import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type ConnectionOptions, createClient, openPool } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrations.ts'
import { Replica } from '#platform/database/replica.ts'
import { openStorage } from '#platform/storage/storage.ts'
import { audit } from '../../src/audit.ts'
import { readConfig } from '../../src/config.ts'
import { soon } from '../support/expect.ts'
import { launchShop, type RealShop } from '../support/harness.ts'
import { done, journey } from '../support/journey.ts'
import { balance } from '../support/load-balancer.ts'
import { overNetwork } from '../support/network.ts'
import { type Shop, shopAt, times } from '../support/person.ts'
import { openPair, type Pair } from '../support/replica-harness.ts'
import { KEYS, openStore, type RealStore } from '../support/s3-server.ts'
import { openShop } from '../support/shop.ts'

let folder: string
let pair: Pair
let store: RealStore
/** Cleanup, latest first. */
const undo: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  Object.assign(process.env, KEYS)
  folder = await mkdtemp(join(tmpdir(), 'machines-'))
  undo.unshift(() => rm(folder, { recursive: true }))
  ;[pair, store] = await Promise.all([openPair(), openStore()])
  undo.unshift(pair.close, store.close)
  await migrate(pair.primary.connection, join(import.meta.dirname, '../../migrations'))
}, 120_000)
afterAll(async () => {
  for (const each of undo) await each()
})

/** A process of the shop that reads from the replica, inside this one. */
const openMachine = () =>
  openShop({
    settings: {
      DATABASE_URL: pair.primary.url,
      DATABASE_REPLICA_URL: pair.replica.url,
      DATABASE_POOL: '5',
      STORAGE_URL: store.url,
    },
  })

const listingAt = async ({ visitor }: Shop, id: number) => (await visitor().get(`/api/products/${id}`)).body

/** Changes the primary without a notification, so that a response shows which server was read. */
const secretly = (statement: string) =>
  pair.primary.rows(`begin; set local session_replication_role = replica; ${statement}; commit`)

/** Whether a visitor's request is read on the replica. Reverts its change. */
async function readsReplica(machine: Shop, id: number): Promise<boolean> {
  const { description } = await listingAt(machine, id)
  await pair.replica.pause()
  const mark = `marked ${randomUUID()}`
  await secretly(`update products set description = '${mark}' where id = ${id}`)
  // A new query is never cached.
  const { body } = await machine.visitor().get(`/api/products/?max=${1_000 + marks++}`)
  const found = body.products.find((listing: { id: number }) => listing.id === id)
  await secretly(`update products set description = '${description}' where id = ${id}`)
  await pair.replica.resume()
  expect([mark, description]).toContain(found.description)
  return found.description !== mark
}
let marks = 0

test('public data is read on the replica once it has caught up', async () => {
  const machine = await openMachine()
  const { id } = await machine.list(await machine.signUp('ana'))
  await expect.poll(() => readsReplica(machine, id), soon).toBe(true)
  await machine.close()
})

test('a lagging replica is never read for outdated data, and nothing outdated is cached', async () => {
  const [first, second] = [await openMachine(), await openMachine()]
  const ana = await first.signUp('ana')
  const { id, ...mug } = await first.list(ana)
  await expect.poll(() => readsReplica(second, id), soon).toBe(true)
  await pair.replica.pause()
  for (let price = 1; price <= 20; price++) {
    await first.visitor().get(`/api/products/?max=${price}`)
    await ana.put(`/api/products/${id}`, { ...mug, price })
    // Her own change, at the process that made it, and by her cookie at any other; then a visitor.
    expect((await listingAt(first, id)).price).toBe(price)
    const herself = second.visitor()
    herself.cookie = ana.cookie
    expect((await herself.get(`/api/products/${id}`)).body.price).toBe(price)
    expect((await listingAt(second, id)).price).toBe(price)
    expect(
      (await second.visitor().get(`/api/products/?max=${price}&min=${price}`)).body.products,
    ).toMatchObject([{ id, price }])
  }
  await pair.replica.resume()
  await expect.poll(() => readsReplica(second, id), soon).toBe(true)
  expect((await listingAt(second, id)).price).toBe(20)
  await Promise.all([first.close(), second.close()])
})

test('without its replica a process reads the primary, and the replica again once it is back', async () => {
  const machine = await openMachine()
  const { id } = await machine.list(await machine.signUp('ana'))
  await expect.poll(() => readsReplica(machine, id), soon).toBe(true)
  await pair.replica.stop()
  const responses = await times(40, n => machine.visitor().get(`/api/products/?max=${2_000 + n}`))
  expect(responses.every(({ status }) => status === 200)).toBe(true)
  await pair.replica.start()
  await expect.poll(() => readsReplica(machine, id), soon).toBe(true)
  await machine.close()
})

test('a server that is no standby, or of another shop, is refused as replica', async () => {
  const { db, close } = openPool(pair.primary.connection, 2)
  const logged: string[] = []
  const others = { ...inject('server'), database: inject('template') } as ConnectionOptions
  for (const connection of [pair.primary.connection, others]) {
    const mistaken = new Replica(db, connection, 2, line => void logged.push(line))
    const before = logged.length
    expect(mistaken.at(1)).toBeUndefined()
    await expect.poll(() => logged.length, soon).toBe(before + 1)
    expect(mistaken.at(1)).toBeUndefined()
    await mistaken.close()
  }
  expect(logged.map(line => line.split(': ')[1])).toEqual(['it is no replica', 'it is another shop’s'])
  await close()
})

test('two processes, a replica and a store behind a proxy: one is killed, the replica stops, and nothing is lost', async () => {
  const settings = {
    DATABASE_URL: pair.primary.url,
    DATABASE_REPLICA_URL: pair.replica.url,
    STORAGE_URL: store.url,
    TRUST_PROXY: '1',
    ...KEYS,
  }
  const dataDir = await mkdtemp(join(folder, 'data-'))
  // The second one is a cluster itself.
  const processes = await times(2, n => launchShop(dataDir, { ...settings, WEB_CONCURRENCY: String(1 + n) }))
  undo.unshift(...processes.map((each: RealShop) => async () => each.alive() && each.stop()))
  const [first, second] = processes as [RealShop, RealShop]
  const front = await balance(processes.map(({ port }) => port))
  undo.unshift(front.close)
  const shop = shopAt(overNetwork(front.port))
  const photo = await sharp({ create: { width: 330, height: 200, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const sellers = await times(3, n => shop.signUp(`seller${n}`))
  const buyers = await times(3, n => shop.signUp(`buyer${n}`))

  const events = [
    { after: 4, action: () => first.kill() },
    { after: 8, action: () => pair.replica.stop() },
  ]
  const happened: Promise<void>[] = []
  await times(3, async n => {
    while (done.orders.size < 12) {
      await journey(shop, sellers[n]!, buyers[n]!, photo)
      if (done.orders.size >= (events[0]?.after ?? 1_000)) happened.push(events.shift()!.action())
    }
  })
  await Promise.all(happened)
  expect(happened).toHaveLength(2)
  expect([first.alive(), second.alive()]).toEqual([false, true])

  // A visitor, who gets cached pages, and the sellers in their own lists.
  const [name, id] = [...done.listings].at(-1)!
  expect((await shop.visitor().get(`/products/${id}`)).status).toBeLessThan(400)
  expect((await shop.visitor().get('/')).body).toContain(name)
  // Every acknowledged write is there, once.
  const { rows } = pair.primary
  const listed = await rows(`select id, name from products where name like 'Mug %'`)
  for (const [name, id] of done.listings)
    expect(listed.filter(row => row.name === name)).toEqual([{ id: String(id), name }])
  const placed = await rows('select id, idempotency_key as key from orders')
  for (const [key, id] of done.orders)
    expect(placed.filter(row => row.key === key)).toEqual([{ id: String(id), key }])
  expect(placed).toHaveLength(done.orders.size)
  const written = await rows('select id, user_id from reviews')
  for (const { id, author } of done.reviews)
    expect(written).toContainEqual({ id: String(id), user_id: String(author) })
  expect(written).toHaveLength(done.reviews.length)
  for (const { url } of done.photos) expect((await shop.visitor().get(url)).status).toBe(200)

  const client = createClient(pair.primary.connection)
  await client.connect()
  const [{ id: shopId }] = await rows('select id from installation')
  const files = (await openStorage(readConfig(settings), () => {}))(shopId)
  expect(await files.owner?.read()).toMatch(/^\d+\/\d+\/\d+$/)
  const differ: string[] = []
  await audit(client, files, line => !line.startsWith('✓') && differ.push(line))
  await client.end()
  expect(differ).toEqual([])
}, 120_000)
