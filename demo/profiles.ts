import type { FastifyInstance } from 'fastify'
import type { Id } from '#contract'
import * as slots from '#images/picture-slot.ts'
import { slotOf } from '#sellers/pictures.ts'
import * as shops from '#sellers/sellers.ts'
import * as shopPage from '#sellers/shop-page.ts'
import { idIn } from './history.ts'
import { abouts, shopPages } from './makers.ts'
import { cropPicture } from './pictures.ts'

/** What the demo is written into. */
export type App = Pick<FastifyInstance, 'db' | 'files'>

/** Profiles of the sellers, with a crop of one of their photos. */
export async function introduce(app: App, people: Map<string, Id>): Promise<void> {
  const one = async ({ maker, picture, ...about }: (typeof abouts)[number]) => {
    const known = await shops.find(app.db, maker)
    const user = idIn(people, maker)
    if (known.words === '') await shops.update(app.db, user, maker, about)
    if (known.picture) return
    const bytes = await cropPicture(picture, { left: 0.225, top: 0.225, width: 0.55, height: 0.55 })
    await slots.fill(app.db, app.files, user, bytes, slotOf(user, 'picture'))
  }
  await Promise.all(abouts.map(one))
  await Promise.all(shopPages.map(page => furnish(app, idIn(people, page.maker), page)))
}

/** The wide photo of a seller, and how they do things. */
async function furnish(
  { db, files }: App,
  user: Id,
  { maker, picture, words }: (typeof shopPages)[number],
): Promise<void> {
  const known = await shopPage.find(db, maker)
  if (known.banner) return
  const strip = await cropPicture(picture, { left: 0, top: 0.3625, width: 1, height: 0.4 })
  await slots.fill(db, files, user, strip, slotOf(user, 'banner'))
  if (known.returns === '') await shopPage.update(db, user, words)
}
