import { everyCall, openWorld, type World } from '../support/fixtures.ts'
import { type RealShop, withShop } from '../support/harness.ts'
import type { Person } from '../support/person.ts'
import { Faults, type Outcome, type Scenario } from '../support/scenario.ts'
import { sendsByPost } from '../support/sold.ts'

const METRICS_TOKEN = 'metrics-token-4711'
/** Words that are nowhere else. */
const WORDS = [
  'Quinzabel',
  'Zephyrgasse',
  'Hinterhofkiste',
  'Umbrastadt',
  'Wolkenmark',
  'QX977Z',
  'Geburtstagskordel',
]
const [name, line1, line2, city, region, postal_code, note] = WORDS
const address = {
  name: `${name} Okafor`,
  line1: `${line1} 17`,
  line2,
  city,
  region,
  postal_code,
  country: 'PT',
}
const TRACKING = 'TRACK4711QX'
const SECRETS = [...WORDS, TRACKING]

/** Pages and files for everybody. */
const PUBLIC = [
  ...['/', '/search?q=mug', '/feeds/listings.atom', '/feeds/listings.json', '/robots.txt', '/opensearch.xml'],
  ...['/sitemap.xml', '/sitemaps/pages.xml', '/sitemaps/listings-1.xml', '/sitemaps/shops-1.xml'],
  ...['/api/products/', '/api/products/suggestions?q=mug', '/api/products/counts'],
]

async function addressPrivacy(shop: RealShop): Promise<Outcome> {
  const faults = new Faults()
  const [maker, shopper] = [await shop.signUp('maker'), await shop.signUp('shopper')]
  const { id: listing } = await shop.list(maker, { stock: 50 })
  await sendsByPost(shop, maker)
  const order = await orderTo(shop, shopper, listing)
  await maker.post(`/api/sales/${order}/parcels`, { carrier: 'DHL', tracking: TRACKING })
  await maker.post(`/api/orders/${order}/messages`, { text: `To ${name}, ${line1}?` })

  // Those who need it see it.
  const detail = JSON.stringify((await maker.get(`/api/sales/${order}`)).body)
  for (const secret of SECRETS) faults.expect(detail.includes(secret), `the maker does not see ${secret}`)

  let read = 0
  const check = (where: string, text: string) => {
    read++
    for (const secret of SECRETS)
      faults.expect(!text.toLowerCase().includes(secret.toLowerCase()), `${secret} is in ${where}`)
  }
  const [stranger, visitor] = [await openWorld(shop, 'stranger'), shop.visitor()]
  const own = [`/products/${listing}`, `/shops/${maker.user.username}`, `/api/shops/${maker.user.username}`]
  for (const path of [...PUBLIC, ...own])
    for (const person of [visitor, stranger.owner])
      check(path, JSON.stringify((await person.get(path, { accept: 'text/html, */*' })).body))
  for (const word of WORDS) {
    const { body } = await visitor.get(`/api/products/?q=${word}`)
    faults.expect(
      !body.products?.some(({ id }: { id: number }) => id === listing),
      `${word} finds the listing`,
    )
    const { sales } = (await stranger.owner.get(`/api/sales/?search=${word}`)).body
    faults.expect(sales.length === 0, `another maker finds the order by ${word}`)
  }
  await checkCalls({ ...stranger, order, listing }, stranger.owner, check)
  for (const path of [`/sold/${order}`, `/sold/${order}/slip`, `/orders/${order}`, '/sold', '/orders'])
    for (const person of [stranger.owner, visitor])
      check(path, JSON.stringify((await person.get(path, { accept: 'text/html' })).body))
  await failWith(shop, maker, shopper, { listing, order })
  const metrics = await fetch(`${shop.address}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  faults.expect(metrics.status === 200, `metrics answer ${metrics.status}`)
  check('the metrics', await metrics.text())
  faults.expect(/\bharm\b/.test(shop.log), 'the log has no failures')
  faults.expect(shop.log.includes('/api/sales/'), 'the log has no requests about sales')
  check('the log', shop.log)
  return faults.outcome(
    `${SECRETS.length} words of an address, a note and a parcel: seen by shopper and maker; in none of ${read} pages, files and responses for others, nor in metrics and the complete log, with refusals and failures in it`,
  )
}

/** The shopper orders to the address, with a note. */
async function orderTo(shop: RealShop, shopper: Person, listing: number): Promise<number> {
  await shopper.post(`/api/cart_items/add/${listing}`, { quantity: 2 })
  await shopper.post('/api/addresses/', address)
  const order = (await shopper.post('/api/orders/checkout')).body.id
  await shop.rows(`update orders set note = '${note} please' where id = ${order}`)
  return order
}

/** Every call that reads, by another maker with the number of the order. */
async function checkCalls(
  world: World,
  person: Person,
  check: (where: string, text: string) => void,
): Promise<void> {
  const reading = Object.entries(everyCall).filter(
    ([key]) => key.startsWith('GET ') && !key.includes('logout'),
  )
  for (const [key, call] of reading) check(key, JSON.stringify((await call(person, world)).body))
  const changing = Object.entries(everyCall).filter(([key]) => /^POST .*\/(sales|orders)\/:orderId/.test(key))
  for (const [key, call] of changing) check(key, JSON.stringify((await call(person, world)).body))
}

/** Wrong input with these words, and failures of the database while it writes them: these are logged most. */
async function failWith(
  shop: RealShop,
  maker: Person,
  shopper: Person,
  { listing, order }: { listing: number; order: number },
): Promise<void> {
  await shopper.post('/api/addresses/', { ...address, country: 'nowhere' })
  await maker.get(`/api/sales/?search=${name}&limit=none`)
  await maker.post(`/api/sales/${order}/cancel`, { lines: `${line1}`, reason: note })
  await shopper.post(`/api/cart_items/add/${listing}`, { quantity: 1 })
  const broken = [
    ['order_addresses', () => shopper.post('/api/orders/checkout')],
    ['addresses', () => shopper.post('/api/addresses/', address)],
    ['order_events', () => maker.post(`/api/sales/${order}/parcels`, { tracking: TRACKING })],
  ] as const
  for (const [table, fails] of broken) {
    await shop.rows(`alter table ${table} add constraint harm check (false) not valid`)
    await fails()
    await shop.rows(`alter table ${table} drop constraint harm`)
  }
}

export const scenario: Scenario = {
  risk: 'privacy of addresses',
  promise:
    'an order with unusual words in its address, note and parcel: they are in no log, metric, feed, search, sitemap, public page or answer to anybody but its shopper and its maker',
  run: () => withShop({ LOG_LEVEL: 'debug', METRICS_TOKEN }, addressPrivacy),
}
