import { setTimeout as sleep } from 'node:timers/promises'
import { HEADER, row } from '../support/etsy-files.ts'
import { type RealShop, withShop } from '../support/harness.ts'
import { Faults, type Outcome, type Scenario } from '../support/scenario.ts'

const CRASHES = 12
const ROWS = 2_000
/** An import of so many rows takes about as long, ms: most kills come in its middle. */
const LONGEST_MS = 1_500

const file = Buffer.from(
  [
    HEADER,
    ...Array.from({ length: ROWS }, (_, n) =>
      row({ TITLE: `Bowl ${n}`, IMAGE1: `https://i.etsystatic.com/1/r/il/a/${n}/il_fullxfull.${n}_x.jpg` }),
    ),
    '',
  ].join('\n'),
)

async function crashing(shop: RealShop): Promise<Outcome> {
  const faults = new Faults()
  let [lost, whole] = [0, 0]
  for (let crash = 0; crash < CRASHES; crash++) {
    const maker = await shop.signUp('maker')
    const { body } = await maker.upload('/api/import/', file, 'listings.csv', 'file', 'text/csv')
    faults.expect(body.counts?.new === ROWS, `a preview with ${JSON.stringify(body.counts)}`)
    const yes = () => maker.post(`/api/import/${body.id}`)
    const response = yes().catch(() => undefined)
    await sleep(20 + Math.random() * LONGEST_MS)
    await shop.kill()
    if ((await response)?.status !== 200) lost++
    await shop.start()
    const count = async () => {
      const [counted] = await shop.rows(
        `select (select count(*)::int from drafts where seller_id = ${maker.user.id}) as drafts,
           (select count(*)::int from draft_pictures where seller_id = ${maker.user.id}) as photos`,
      )
      return [counted.drafts, counted.photos].join(' and ')
    }
    const after = await count()
    faults.expect([`0 and 0`, `${ROWS} and ${ROWS}`].includes(after), `${after} of ${ROWS} after a crash`)
    if (after !== '0 and 0') whole++
    const again = await yes()
    const { new: added = 0, same = 0 } = again.body.counts ?? {}
    faults.expect(
      again.status === 200 && added + same === ROWS,
      `again: ${again.status}, ${added} and ${same}`,
    )
    faults.expect((await count()) === `${ROWS} and ${ROWS}`, `${await count()} of ${ROWS} in the end`)
  }
  faults.expect(lost > 0, 'no answer was lost: nothing was shown')
  return faults.outcome(
    `${CRASHES} crashes during imports of ${ROWS} listings: ${lost} responses lost; ${whole} imports were whole, the others had written nothing; sent again, every listing and photo is there once`,
  )
}

export const scenario: Scenario = {
  risk: 'app crash during an import',
  slow: true,
  promise:
    'kill -9 during an import, 12 times: all of its listings are drafts or none is; the same Yes again adds the rest, none twice',
  run: () => withShop({ IMPORT_PHOTOS: 'off' }, crashing),
}
