/**
 * `npm run snapshot-schema`, before a release: saves a small shop with this version's schema in
 * `test/fixtures/schema-snapshots/`, named after the newest migration. test/support/schema-snapshots.ts tests that
 * later versions migrate it.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { readConfig } from '../src/config.ts'
import { type ConnectionOptions, openPool } from '../src/platform/database/database.ts'
import { builtPages } from '../src/platform/ssr/renderer.ts'
import { serve } from '../src/serve.ts'
import { ensureBuilt } from './build.ts'
import { tablesInOrder } from './tables-in-order.ts'
import { withTemporaryDatabase } from './temporary-folder.ts'

const migrations = join(import.meta.dirname, '../migrations')
const snapshots = join(import.meta.dirname, '../test/fixtures/schema-snapshots')
const built = await ensureBuilt(console.log)

/** A user with a browser. */
async function person(app: FastifyInstance, name: string) {
  let cookie = ''
  const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) => {
    const payload = body === undefined ? {} : { payload: body }
    const response = await app.inject({ method, url, headers: cookie ? { cookie } : {}, ...payload })
    if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.body}`)
    // Without the device cookie, whose path is the login.
    for (const { name, value, path } of response.cookies) if (path === '/') cookie = `${name}=${value}`
    return response.json()
  }
  const names = { username: name, first_name: name, last_name: 'Weaver' }
  await send('POST', '/api/auth/signup', { email: `${name}@example.com`, password: 'secret-1', ...names })
  const upload = async (url: string, background: string) => {
    const picture = sharp({ create: { width: 400, height: 300, channels: 3, background } })
    const form = new FormData()
    const bytes = new Uint8Array(await picture.png().toBuffer())
    form.set('image', new File([bytes], 'photo.png', { type: 'image/png' }))
    const encoded = new Response(form)
    const headers = { cookie, 'content-type': encoded.headers.get('content-type') ?? '' }
    const payload = Buffer.from(await encoded.arrayBuffer())
    const response = await app.inject({ method: 'POST', url, headers, payload })
    if (response.statusCode !== 201) throw new Error(`${url}: ${response.body}`)
  }
  return { send, upload }
}

/** Creates accounts, listings with photos, a shop page, reviews, favourites, a cart and orders. Other tables stay empty. */
async function fill(app: FastifyInstance): Promise<void> {
  const [ana, ben] = [await person(app, 'ana'), await person(app, 'ben')]
  const pottery = { description: 'Stoneware, holds 300 ml. 🧶', category: 'Home & Living', price: 24.5 }
  const list = async (name: string, stock: number): Promise<number> =>
    (await ana.send('POST', '/api/products/', { name, stock, ...pottery })).id
  const order = async (id: number, quantity: number): Promise<number> => {
    await ben.send('POST', `/api/cart_items/add/${id}`, { quantity })
    return (await ben.send('POST', '/api/orders/checkout', {})).id
  }
  const [mug, bowl, deleted] = [await list('Mug', 10), await list('Bowl', 2), await list('Gone', 3)]
  await ana.upload(`/api/products/${mug}/images`, 'teal')
  await ana.send('PUT', '/api/shops/ana', { words: 'I throw\nin the mornings. 🏺', place: 'By the river' })
  await ana.upload('/api/shops/ana/picture', 'gold')
  const review = { review: 'Keeps the tea\nwarm.', stars: 5 }
  const { id } = await ben.send('POST', `/api/reviews/${mug}/create-review`, review)
  await ana.send('PUT', `/api/reviews/${id}/reply`, { reply: 'Thank you, Ben!' })
  for (const saved of [mug, bowl, deleted]) await ben.send('PUT', `/api/favourites/${saved}`)
  await order(mug, 3)
  await order(bowl, 2)
  await ben.send('DELETE', `/api/orders/${await order(deleted, 1)}/delete-order`)
  // Adds four, and removes one.
  const edit = (stock: number, stock_shown: number) =>
    ana.send('PUT', `/api/products/${bowl}`, { name: 'Bowl', ...pottery, stock, stock_shown })
  await edit(4, 0)
  await edit(3, 4)
  await ben.send('POST', `/api/cart_items/add/${mug}`, { quantity: 2 })
  await ben.send('POST', `/api/cart_items/add/${deleted}`, { quantity: 1 })
  await ana.send('DELETE', `/api/products/${deleted}`)
}

/** Runs work with this version's program on a database. */
async function withApp(
  connection: ConnectionOptions,
  dataDir: string,
  work: (app: FastifyInstance) => Promise<void>,
): Promise<void> {
  const { app, stop } = await serve({
    config: readConfig({ PORT: '0', DATA_DIR: dataDir, LIMITS: 'off', DEMO: 'off', LOG_LEVEL: 'silent' }),
    connection,
    pages: () => builtPages(built),
    log: () => {},
  })
  try {
    await work(app)
  } finally {
    await stop()
  }
}

await withTemporaryDatabase(async ({ connection }, dataDir) => {
  await withApp(connection, dataDir, fill)
  const known = (await readdir(migrations)).filter(name => name.endsWith('.sql')).sort()
  const all: Record<string, unknown> = {}
  const { pool, close } = openPool(connection, 1)
  try {
    for (const { name } of await tablesInOrder(pool)) {
      const { rows } = await pool.query<{ row: unknown }>(
        `select to_jsonb(t) as row from "${name}" t order by t::text`,
      )
      all[name] = rows.map(({ row }) => row)
    }
  } finally {
    await close()
  }
  const file = join(snapshots, `${known.at(-1)?.slice(0, 4)}.json`)
  await mkdir(snapshots, { recursive: true })
  await writeFile(file, `${JSON.stringify({ migrations: known, tables: all }, null, 2)}\n`)
  execFileSync(join(import.meta.dirname, '../node_modules/.bin/biome'), ['format', '--write', file])
  console.log(file)
})
