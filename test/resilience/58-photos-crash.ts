import { setTimeout as sleep } from 'node:timers/promises'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import { HEADER, row } from '../support/etsy-files.ts'
import { type RealShop, until, withShop } from '../support/harness.ts'
import { Faults, type Outcome, type Scenario } from '../support/scenario.ts'

const CRASHES = 6
const PHOTOS = 60
/** Time limit for the photos that are left, ms. */
const TAKEN_MS = 180_000

const nameOf = (n: number) => `il_fullxfull.${n}_x.jpg`
const rows = Array.from({ length: PHOTOS }, (_, n) =>
  row({ TITLE: `Bowl ${n}`, IMAGE1: `https://i.etsystatic.com/1/r/il/a/${n}/${nameOf(n)}` }),
)
const file = Buffer.from([HEADER, ...rows, ''].join('\n'))

async function crashing(shop: RealShop): Promise<Outcome> {
  const faults = new Faults()
  const photo = await sharp({ create: { width: 900, height: 700, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const zip = Buffer.from(zipSync(Object.fromEntries(rows.map((_, n) => [nameOf(n), new Uint8Array(photo)]))))
  const maker = await shop.signUp('maker')
  const { id } = (await maker.upload('/api/import/', file, 'listings.csv', 'file', 'text/csv')).body
  await maker.post(`/api/import/${id}`)
  const here = async (): Promise<number> => (await maker.get('/api/import/photos')).body.here
  const send = () => maker.upload('/api/import/photos/zip', zip, 'photos.zip', 'zip', 'application/zip')
  let interrupted = 0
  for (let crash = 0; crash < CRASHES; crash++) {
    const before = await here()
    if (before === PHOTOS) break
    const { status } = await send()
    faults.expect(status === 202, `the zip is ${status}`)
    await until(TAKEN_MS, async () => (await here()) > before)
    await sleep(Math.random() * 200)
    await shop.kill()
    await shop.start()
    if ((await here()) < PHOTOS) interrupted++
  }
  if ((await here()) < PHOTOS) await send()
  await until(TAKEN_MS, async () => (await here()) === PHOTOS)
  const [{ photos, drafts }] = await shop.rows(
    `select count(*)::int as photos, count(distinct draft_id)::int as drafts from images where draft_id in
       (select id from drafts where seller_id = ${maker.user.id})`,
  )
  faults.expect(photos === PHOTOS && drafts === PHOTOS, `${photos} photos of ${drafts} drafts`)
  faults.expect(interrupted > 0, 'no crash came in the middle: nothing was shown')
  return faults.outcome(
    `${interrupted} crashes in the middle of taking in ${PHOTOS} photos of a zip; sent again, every draft has its photo once`,
  )
}

export const scenario: Scenario = {
  risk: 'app crash while photos come',
  slow: true,
  promise:
    'kill -9 while the photos of a zip are taken in, 6 times: what had come stays, the same zip again brings the rest, none twice',
  run: () => withShop({ IMPORT_PHOTOS: 'off' }, crashing),
}
