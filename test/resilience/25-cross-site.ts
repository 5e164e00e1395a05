import { everyCall, openWorld, stateOf } from '../support/fixtures.ts'
import { withShop } from '../support/harness.ts'
import type { Shop } from '../support/person.ts'
import { Faults, type Outcome, type Scenario } from '../support/scenario.ts'

/** Headers of a request from another site; older browsers send no Sec-Fetch-Site. */
const foreign: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://sister.example' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { referer: 'https://evil.example/page' },
]
const types = [
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  undefined,
]

/** Every change requested by another site with the user's cookie: 403, nothing changed. */
export async function crossSite(shop: Shop): Promise<Outcome> {
  const faults = new Faults()
  const world = await openWorld(shop)
  const before = JSON.stringify(await stateOf(world))
  const changing = Object.entries(everyCall).filter(
    ([key]) => !key.startsWith('GET') || key.endsWith('logout'),
  )
  let tried = 0
  for (const headers of foreign) {
    for (const [key, call] of changing) {
      const { status, headers: answered } = await call(world.owner, world, headers)
      tried++
      faults.expect(
        status === 403 && answered['set-cookie'] === undefined,
        `${key} ${JSON.stringify(headers)}: ${status}`,
      )
    }
    // Forms from another site, to the calls and to the pages.
    for (const url of [
      '/api/orders/checkout',
      `/api/cart_items/add/${world.listing}`,
      '/cart',
      `/products/${world.listing}`,
      '/login',
      '/products/new',
    ]) {
      for (const type of types) {
        const sent = { ...headers, ...(type ? { 'content-type': type } : {}) }
        const { status } = await world.owner.send({
          method: 'POST',
          url,
          headers: sent,
          ...(type ? { payload: 'intent=checkout&quantity=1' } : {}),
        })
        tried++
        faults.expect(status === 403, `POST ${url} as ${type} ${JSON.stringify(headers)}: ${status}`)
      }
    }
  }
  faults.expect(JSON.stringify(await stateOf(world)) === before, 'something was changed')
  const invited = await world.owner.get('/api/products/', { origin: 'https://evil.example' })
  faults.expect(
    !Object.keys(invited.headers).some(name => name.startsWith('access-control')),
    'another site is invited',
  )
  return faults.outcome(
    `${tried} requests from other sites: all 403, nothing changed, no session ended, no CORS`,
  )
}

export const scenario: Scenario = {
  risk: 'cross-site requests',
  promise: 'form, text/plain, multipart, bodiless POST, GET logout from another site: 403, nothing changed',
  tested: true,
  run: () => withShop({}, crossSite),
}
