import type { Shop } from '../test/person.ts'
import { everyCall, openWorld, stateOf, type World } from '../test/world.ts'
import { withShop } from './ground.ts'
import { Faults, inWords, type Outcome, type Row } from './row.ts'

/** Every call, by a visitor and a stranger, aimed at each thing that somebody else has: refused, or nothing of theirs. */
export async function othersThings(shop: Shop): Promise<Outcome> {
  const faults = new Faults()
  const world = await openWorld(shop)
  const before = JSON.stringify(await stateOf(world))
  const counts: Record<number, number> = {}
  const { owner, listing, line, order, review, session } = world
  const stranger = await shop.signUp('stranger')
  for (const [key, call] of Object.entries(everyCall)) {
    if (/login|signup|logout/.test(key)) continue
    const targets = key.includes(':')
      ? [listing, line, order, review, session, owner.user.id, 999_999_999]
      : [listing]
    for (const id of targets) {
      // What is about one's own sessions may end them; and who has put a piece into the cart may well buy it.
      const somebody = / \/api\/auth\/|checkout/.test(key) ? await shop.signUp('stranger') : stranger
      for (const person of [shop.visitor(), somebody]) {
        const { status, body } = await call(person, aimedAt(world, id))
        counts[status] = (counts[status] ?? 0) + 1
        faults.expect(status < 500, `${key} at ${id}: ${status}`)
        faults.expect(!tells(body, world), `${key} at ${id} tells ${JSON.stringify(body).slice(0, 200)}`)
      }
    }
  }
  faults.expect(JSON.stringify(await stateOf(world)) === before, 'what the owner has was changed')
  const owned = await everyCall['GET /api/orders/']!(owner, world)
  faults.expect(tells(owned.body, world), 'not even the owner sees their order')
  return faults.outcome(
    `${Object.keys(everyCall).length} calls at every id by a visitor and a stranger (${inWords(counts)}): nothing of the owner’s was told or changed`,
  )
}

/** The same world with one id everywhere: what is reached for is each thing in turn. */
const aimedAt = (world: World, id: number): World => ({
  owner: { user: { ...world.owner.user, id } } as World['owner'],
  listing: id,
  line: id,
  order: id,
  review: id,
  session: id,
})

/** Whether an answer holds what only the owner may see: their e-mail, their cart line, their order. */
function tells(body: unknown, { owner, line, order }: World): boolean {
  const text = JSON.stringify(body) ?? ''
  return text.includes(owner.user.email) || new RegExp(`"(?:id|order_id)":(?:${line}|${order})\\b`).test(text)
}

export const row: Row = {
  risk: 'reaching others’ things',
  promise: 'every call × visitor, owner, stranger × ids: 401, 403 or 404, never data',
  run: () => withShop({}, othersThings),
}
