import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { crowdOf, overselling } from './01-overselling.ts'
import { openShop, withShop } from './ground.ts'
import { Faults, type Row } from './row.ts'
import { Writers } from './writers.ts'

const root = join(import.meta.dirname, '..')
/** Backups one after the other, under load. */
const BACKUPS = 3

/** Runs a script of package.json as a person does. @returns what it said @throws Error where it ends with another code than 0 */
async function npmRun(script: string, dataDir: string, file?: string): Promise<string> {
  const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const env = { ...process.env, PATH, DATA_DIR: dataDir, DATABASE_URL: '' }
  const args = [join(root, `scripts/${script}.ts`), ...(file ? [file] : [])]
  return (await promisify(execFile)('node', args, { env })).stdout
}

async function backups() {
  const faults = new Faults()
  const folder = await mkdtemp(join(tmpdir(), 'thrum-faults-'))
  await chmod(folder, 0o755)
  const seconds: number[] = []
  let pictures = 0
  let orders = 0
  try {
    await withShop({}, async shop => {
      const writers = new Writers(shop)
      await writers.arrive(6)
      writers.begin()
      for (let n = 0; n < BACKUPS; n++) {
        await new Promise(resolve => setTimeout(resolve, 1_500))
        const began = performance.now()
        await npmRun('backup', shop.dataDir, join(folder, `${n}.tar`))
        seconds.push((performance.now() - began) / 1000)
      }
      await writers.end()
      faults.expect(
        ![...writers.statuses.keys()].some(status => status >= 500),
        'the shop answered with 5xx while it was backed up',
      )
      await writers.check(faults)
    })
    for (let n = 0; n < BACKUPS; n++) {
      const dataDir = join(folder, `restored-${n}`)
      await npmRun('restore', dataDir, join(folder, `${n}.tar`))
      await npmRun('audit', dataDir).catch(error =>
        faults.expect(false, `audit: ${error.stdout}${error.stderr}`),
      )
      const shop = await openShop(dataDir, {})
      try {
        const rows = await shop.rows('select folder, widths from images')
        for (const { folder, widths } of rows) {
          for (const width of widths) {
            const { status } = await shop.visitor().get(`/images/${folder}/${width}.webp`)
            faults.expect(status === 200, `a picture of backup ${n} is answered with ${status}`)
          }
        }
        pictures += rows.length
        const [{ count }] = await shop.rows('select count(*)::int as count from orders')
        orders += count
        const oversold = await overselling(shop, await crowdOf(shop, 50), 2)
        faults.expect(oversold.holds, `row 1 on backup ${n}: ${oversold.figure}`)
        await nothingOfOthers(shop, faults)
      } finally {
        await shop.stop()
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return faults.outcome(
    `${BACKUPS} backups under load, ${seconds.map(s => s.toFixed(1)).join(', ')} s; restored with ${orders} orders and ${pictures} pictures in all, every picture is served, every audit agrees, row 1 holds`,
  )
}

/** Row 23 in short, where old data and new people meet: what is restored is still its owner's alone. */
async function nothingOfOthers(shop: Awaited<ReturnType<typeof openShop>>, faults: Faults): Promise<void> {
  const [{ order, line, listing, buyer }] = await shop.rows(
    `select (select max(id) from orders where status = 'Pending') as order, (select max(id) from products) as listing,
      (select max(user_id) from orders) as buyer, (select max(id) from cart_lines) as line`,
  )
  const calls: [method: 'get' | 'put' | 'delete', url: string, visitor: number[], stranger: number[]][] = [
    ['get', `/api/cart_items/${buyer}`, [401], [403]],
    ['delete', `/api/orders/${order}/delete-order`, [401], [404]],
    ['delete', `/api/products/${listing}`, [401], [403]],
    ['delete', `/api/cart_items/${line ?? 1}`, [401], [403, 404]],
    ['get', '/api/orders/', [401], [200]],
  ]
  const stranger = await shop.signUp('stranger')
  for (const [method, url, visitors, strangers] of calls) {
    const visited = await shop.visitor()[method](url)
    faults.expect(visitors.includes(visited.status), `${method} ${url} as a visitor: ${visited.status}`)
    const strange = await stranger[method](url)
    faults.expect(strangers.includes(strange.status), `${method} ${url} as a stranger: ${strange.status}`)
    if (strange.status === 200) faults.expect(strange.body.length === 0, `${url} shows others' orders`)
  }
}

export const row: Row = {
  risk: 'backup',
  promise: 'made under load, restored to an empty place: rows 1 and 23 hold there, every picture is served',
  run: backups,
}
