import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { withPostgres } from '../support/external-postgres.ts'
import { assertAuditOf, launchShop, type RealShop, withShop } from '../support/harness.ts'
import type { Settings } from '../support/launch.ts'
import { Faults, type Scenario } from '../support/scenario.ts'
import { onServer } from '../support/setup.ts'
import { type Acknowledged, Writers } from '../support/writers.ts'
import { overselling, signUpMany } from './01-overselling.ts'
import { othersData } from './23-others-things.ts'

const root = join(import.meta.dirname, '../..')
/** Number of backups under load. */
const BACKUPS = 3

interface Backup {
  file: string
  /** Acknowledged before the backup began: must be in it. */
  acknowledged: Acknowledged
  seconds: number
}

/** Runs a script by npm. @returns its output @throws Error for another exit code than 0 */
async function npmRun(script: string, dataDir: string, settings: Settings, file?: string): Promise<string> {
  const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const env = { ...process.env, DATABASE_URL: '', ...settings, PATH, DATA_DIR: dataDir }
  const args = ['run', '--silent', script, '--', ...(file ? [file] : [])]
  return (await promisify(execFile)('npm', args, { cwd: root, env })).stdout
}

/** A shop under constant writes, backed up repeatedly. */
async function backedUp(settings: Settings, files: string[], faults: Faults): Promise<Backup[]> {
  return withShop(settings, async shop => {
    const writers = new Writers(shop)
    await writers.arrive(6)
    writers.begin()
    const backups: Backup[] = []
    for (const file of files) {
      await sleep(1_500)
      const { acknowledged } = writers
      const began = performance.now()
      await npmRun('backup', shop.dataDir, settings, file)
      backups.push({ file, acknowledged, seconds: (performance.now() - began) / 1000 })
    }
    await writers.end()
    faults.expect(
      ![...writers.statuses.keys()].some(status => status >= 500),
      'the shop answered with 5xx while it was backed up',
    )
    await writers.check(faults)
    return backups
  })
}

/** Restores a backup into an empty target, and runs work on the restored shop. @returns what was restored, as text */
async function restored(
  backup: Backup,
  dataDir: string,
  settings: Settings,
  faults: Faults,
  work: (shop: RealShop) => Promise<void> = async () => {},
): Promise<string> {
  await npmRun('restore', dataDir, settings, backup.file)
  await npmRun('audit', dataDir, settings).catch(error =>
    faults.expect(false, `audit: ${error.stdout}${error.stderr}`),
  )
  const shop = await launchShop(dataDir, settings)
  try {
    const pictures = await shop.rows('select folder, widths from images')
    for (const { folder, widths } of pictures) {
      for (const width of widths) {
        const { status } = await shop.visitor().get(`/images/${folder}/${width}.webp`)
        faults.expect(status === 200, `a picture of ${backup.file} is answered with ${status}`)
      }
    }
    const [{ orders }] = await shop.rows('select count(*)::int as orders from orders')
    faults.expect(
      orders >= backup.acknowledged.orders && pictures.length >= backup.acknowledged.pictures,
      `${backup.file} has ${orders} orders and ${pictures.length} pictures, ${JSON.stringify(backup.acknowledged)} were acknowledged`,
    )
    await work(shop)
    await assertAuditOf(shop, settings)
    return `${orders} orders and ${pictures.length} pictures`
  } finally {
    await shop.stop()
  }
}

/** Rows 1 and 23; and restored data is still private to its owner. */
async function repeatScenarios(shop: RealShop, faults: Faults): Promise<void> {
  await nothingOfOthers(shop, faults)
  const oversold = await overselling(shop, await signUpMany(shop, 200), 10)
  faults.expect(oversold.passed, `row 1: ${oversold.figure}`)
  const reached = await othersData(shop)
  faults.expect(reached.passed, `row 23: ${reached.figure}`)
}

/** Old data with new users. */
async function nothingOfOthers(shop: RealShop, faults: Faults): Promise<void> {
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

const inSeconds = (backups: Backup[]) => backups.map(({ seconds }) => seconds.toFixed(1)).join(', ')

/** A shop with an embedded database. */
async function embedded(folder: string, faults: Faults): Promise<string> {
  const files = Array.from({ length: BACKUPS }, (_, n) => join(folder, `${n}.tar`))
  const backups = await backedUp({}, files, faults)
  const found: string[] = []
  for (const [n, backup] of backups.entries()) {
    // One backup is enough.
    const work = n === BACKUPS - 1 ? (shop: RealShop) => repeatScenarios(shop, faults) : undefined
    found.push(await restored(backup, join(folder, `restored-${n}`), {}, faults, work))
  }
  return `${BACKUPS} backups of a shop with its own database, ${inSeconds(backups)} s, restored with ${found.join(', ')}`
}

/** A shop on an external PostgreSQL, restored into another database. */
function external(folder: string, faults: Faults): Promise<string> {
  return withPostgres(async url => {
    const backups = await backedUp({ DATABASE_URL: url }, [join(folder, 'external.tar')], faults)
    await onServer({ connectionString: url }, 'create database restored')
    const empty = new URL(url)
    empty.pathname = '/restored'
    const found: string[] = []
    for (const backup of backups)
      found.push(
        await restored(backup, join(folder, 'elsewhere'), { DATABASE_URL: empty.href }, faults, shop =>
          repeatScenarios(shop, faults),
        ),
      )
    return `one of a shop on an external PostgreSQL, ${inSeconds(backups)} s, restored with ${found.join(', ')}`
  })
}

async function backups() {
  const faults = new Faults()
  const folder = await mkdtemp(join(tmpdir(), 'thrum-faults-'))
  await chmod(folder, 0o755)
  try {
    const found = [await embedded(folder, faults), await external(folder, faults)]
    return faults.outcome(
      `${found.join('; ')}; every picture is served, every audit passes, and rows 1 (200 people, 10 rounds) and 23 hold on both`,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const scenario: Scenario = {
  risk: 'backup',
  slow: true,
  promise: 'made under load, restored to an empty place: rows 1 and 23 hold there, every picture is served',
  run: backups,
}
