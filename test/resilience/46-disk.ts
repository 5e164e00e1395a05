import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RealShop, until, withShop } from '../support/harness.ts'
import { countStatuses, type Person, times } from '../support/person.ts'
import { pdfOf } from '../support/sample-pictures.ts'
import { Faults, formatCounts, type Scenario } from '../support/scenario.ts'

const MB = 2 ** 20
const QUOTA_MB = 50
/** Quota of cached share pictures, bytes. */
const DERIVED_QUOTA = 512 * MB
/** Pictures drawn while the folder is almost full. */
const DRAWN = 100
/** Photos of a deleted listing are deleted within so many ms. */
const DELETED_WITHIN_MS = 60_000

/** Bytes of all files below a folder. */
async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const found = await Promise.all(names.map(name => stat(join(folder, name)).catch(() => undefined)))
  return found.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0)
}

/** Uploads as much as one account can: fake documents, then real ones until refused. */
async function fillUp(shop: RealShop, eve: Person, faults: Faults) {
  const listings: number[] = []
  const send = async (file: Buffer) => {
    if (listings.length === 0) listings.push((await shop.list(eve)).id)
    return eve.upload(`/api/products/${listings.at(-1)}/images`, file, 'a.pdf')
  }
  const junk = () => Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(9 * MB), Buffer.from('\n%%EOF')])
  const refused = []
  for (let n = 0; n < 5; n++) refused.push(await send(junk()))
  faults.expect(
    countStatuses(refused)[400] === 5,
    `made-up documents: ${formatCounts(countStatuses(refused))}`,
  )
  const responses = []
  // More concurrent ones than one user may send: the count must hold.
  for (let n = 0; n < 5; n++)
    responses.push(...(await times(2, () => send(pdfOf('1 0 0 rg 0 0 100 100 re f', randomBytes(9 * MB))))))
  while (responses.at(-1)?.status !== 409 && responses.length < 40)
    responses.push(await send(pdfOf('1 0 0 rg 0 0 100 100 re f', randomBytes(9 * MB))))
  const last = responses.at(-1)
  faults.expect(
    last?.status === 409 && /50 MB that each person has/.test(last.body.message),
    `when it was full: ${last?.status} ${last?.body.message}`,
  )
  return {
    statuses: countStatuses(responses),
    document: responses.find(({ status }) => status === 201)?.body.document,
    listings,
  }
}

export const scenario: Scenario = {
  risk: 'full disk',
  slow: true,
  promise: `one account uploads without end: ${QUOTA_MB} MB are stored and the rest refused, a deleted listing frees its space within a minute; cached share pictures stay under 512 MB`,
  run: () =>
    withShop({ LIMITS: 'on', QUOTA_MB: `${QUOTA_MB}` }, async shop => {
      const faults = new Faults()
      const eve = await shop.signUp('eve')
      const { statuses, document, listings } = await fillUp(shop, eve, faults)
      const uploads = join(shop.dataDir, 'uploads')
      const stored = await bytesIn(uploads)
      faults.expect(stored <= QUOTA_MB * MB, `${stored} bytes are stored`)
      faults.expect(stored > (QUOTA_MB - 10) * MB, `only ${stored} bytes are stored`)
      const before = (await shop.visitor().get(String(document))).status
      for (const id of listings) await eve.delete(`/api/products/${id}`)
      const deletedAfter = await until(
        DELETED_WITHIN_MS,
        async () => (await shop.visitor().get(String(document))).status === 404,
      )
      faults.expect(before === 200, `a document: ${before}`)
      faults.expect((await bytesIn(uploads)) === 0, 'files of a deleted listing are left')

      // Almost full of old share pictures.
      const [{ id: name }] = await shop.rows('select id from installation')
      const derived = join(shop.dataDir, 'made', name)
      await mkdir(derived, { recursive: true })
      for (let n = 0; n < 511; n++) {
        const file = join(derived, createHash('sha256').update(`${n}`).digest('hex'))
        await writeFile(file, '')
        await truncate(file, MB)
      }
      let largest = 0
      const path = `/api/shops/${eve.user.username}`
      for (let n = 0; n < DRAWN; n++) {
        await eve.put(path, { words: '', place: `Village ${n}` })
        const sent = await eve.get(`/share/makers/${eve.user.username}-00.jpg`)
        const { status } = await eve.get(String(sent.headers.location))
        faults.expect(status === 200, `a drawn picture: ${status}`)
        largest = Math.max(largest, await bytesIn(derived))
      }
      faults.expect(largest <= DERIVED_QUOTA, `drawn pictures took ${largest} bytes`)
      return faults.outcome(
        `5 fake documents refused; documents of 9 MB: ${formatCounts(statuses)}, ${(stored / MB).toFixed(0)} MB stored; deleted ${Math.round(deletedAfter)} ms after their listing; with ${DRAWN} pictures drawn beside 511 MB of older ones the folder had ${(largest / MB).toFixed(0)} MB at most`,
      )
    }),
}
