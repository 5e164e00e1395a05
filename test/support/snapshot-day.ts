import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { unsubscribePath } from '#platform/mail/unsubscribe.ts'
import { cleanupJobs } from '../../src/cleanup-job.ts'
import { exportJob } from '../../src/features/personal-data/make-exports.ts'
import { Authenticator, addPasskey, logInWith } from './authenticator.ts'
import { everyCall, openWorld } from './fixtures.ts'
import type { Person, Shop, TestResponse } from './person.ts'

/** Searches of every kind, and lists in every order. */
const PAGES = [
  '/api/products/?q=mug',
  '/api/products/?q=mgu',
  '/api/products/?q=speckled+teapot',
  '/api/products/?q=gift+for+mum&category=Home+%26+Living&min=1&max=90&in_stock=true&rating=1&limit=5',
  '/api/products/?category=Home+%26+Living&sort=newest',
  '/api/products/?sort=price_asc&limit=1',
  '/api/products/?sort=price_desc&limit=1',
  '/api/products/?sort=rating&limit=1',
  '/api/products/?sort=newest&limit=1',
  '/api/products/?q=mug&sort=relevance&limit=1',
  '/api/products/?q=mug&sort=price_asc&limit=1',
  '/api/products/?q=mug&sort=rating&limit=1',
  '/api/products/counts?q=mug&in_stock=true',
  '/api/products/counts?category=Home+%26+Living&rating=4',
  '/api/products/counts?q=mgu',
  '/api/products/suggestions?q=sp',
  '/api/products/suggestions?q=own',
  '/readyz',
  '/feeds/listings.atom',
  '/feeds/listings.json?q=mug',
  '/sitemap.xml',
  '/sitemaps/listings-0.xml',
  '/sitemaps/makers-0.xml',
]

/** Requests a list and its next pages. */
async function pages(person: Person, url: string): Promise<void> {
  const { status, headers, body } = await person.get(url)
  if (status >= 500) throw new Error(`${url}: ${JSON.stringify(body)}`)
  const [, next] = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? '')) ?? []
  if (next) await person.get(next)
}

function accepted({ status, body }: TestResponse, name: string): void {
  if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`)
}

/** How long a letter may take, ms. */
const LETTER_MS = 60_000
/**
 * Waits for a letter whose link does something.
 * @param letters the texts of all letters so far
 * @param follow follows the link of a token once, and returns undefined if it is not the one
 */
async function followed(
  letters: () => string,
  path: string,
  follow: (token: string) => Promise<string | undefined>,
): Promise<string> {
  const tried = new Set<string>()
  for (const end = Date.now() + LETTER_MS; Date.now() < end; await sleep(100))
    for (const [, token = ''] of letters().matchAll(new RegExp(`${path}\\?token=([\\w-]+)`, 'g'))) {
      if (tried.has(token)) continue
      tried.add(token)
      const done = await follow(token)
      if (done !== undefined) return done
    }
  throw new Error(`No letter has a link to ${path}`)
}

/**
 * Makes every call, runs every job and sends every kind of letter, in a shop without data.
 * @param letters the texts of all letters so far
 * @throws Error if a call fails
 */
export async function dayOfEverything(
  app: FastifyInstance,
  shop: Shop,
  letters: () => string,
): Promise<void> {
  const world = await openWorld(shop)
  const { owner, listing } = world
  const ben = await shop.signUp('ben')
  await shop.list(owner, { name: 'Blue mug', stock: 2, price: 30 })
  const reading = (key: string) => key.startsWith('GET') && !/logout$|letters\/off/.test(key)
  for (const key of Object.keys(everyCall).filter(reading))
    accepted((await everyCall[key]?.(owner, world)) as TestResponse, key)
  const link = `/api${await unsubscribePath(app.db, { recipient: owner.user.id, kind: 'review' })}`
  accepted(await owner.get(link), 'reading a link')
  accepted(await owner.post(link), 'following a link')
  for (const url of PAGES) await pages(shop.visitor(), url)
  await pages(shop.visitor(), `/api/products/?seller=${owner.user.username}&limit=1`)
  await pages(owner, '/api/products/current?limit=1')

  // A repeated key, and more than is left.
  const key = { 'idempotency-key': 'the-same-again' }
  const cups = { name: 'Cup', category: 'Home & Living', description: 'Holds tea.', price: 9, stock: 3 }
  for (const _ of [1, 2]) accepted(await owner.post('/api/products/', cups, key), 'adding with a key')
  const { version } = (await owner.get(`/api/products/${listing}`)).body
  const change = { ...cups, name: 'Mug', stock: 101, stock_shown: 98 }
  const headersWithVersion = { ...key, 'expected-version': String(version) }
  for (const headers of [headersWithVersion, key])
    accepted(await owner.put(`/api/products/${listing}`, change, headers), 'a change')
  await ben.put(`/api/products/${listing}`, change)
  await ben.post(`/api/cart_items/add/${listing}`, { quantity: 99 })
  await ben.post('/api/cart_items/add/999999', { quantity: 1 })
  accepted(await ben.post(`/api/cart_items/add/${listing}`, { quantity: 2 }), 'adding')
  await ben.post('/api/orders/checkout', undefined, { 'expected-total': '1.00' })
  for (const _ of [1, 2])
    accepted(await ben.post('/api/orders/checkout', undefined, { ...key }), 'checkout with a key')
  await ben.post('/api/orders/checkout')
  for (const sort of ['newest', 'oldest', 'highest', 'lowest'])
    await pages(ben, `/api/reviews/${listing}/reviews?sort=${sort}&limit=1`)
  await pages(ben, `/api/reviews/${listing}/reviews?stars=5`)
  await pages(ben, `/api/reviews/${listing}/reviews?author=${owner.user.id}`)
  await pages(ben, `/api/reviews/${listing}/reviews?id=${world.review}`)
  await pages(owner, '/api/orders/?limit=1')
  await pages(owner, `/api/orders/?id=${world.order}`)
  await pages(owner, '/api/orders/order-items/2?limit=1')
  await pages(owner, '/api/favourites/?limit=1')

  // Calls that end a session, or delete what others need, come last.
  const last = ['GET /api/auth/logout', 'DELETE /api/auth/sessions', 'DELETE /api/products/:id']
  const changing = Object.keys(everyCall).filter(key => !/^GET|letters\/off/.test(key) && !last.includes(key))
  const reviewing = 'POST /api/reviews/:productId/create-review'
  const removing = 'DELETE /api/reviews/:id/delete-review'
  const afterwards = ['DELETE /api/cart_items/:id', 'PUT /api/products/:id', removing]
  // The owner already has a review, and running orders.
  const others: Record<string, Person> = {
    [reviewing]: ben,
    'POST /api/account/deletion': await shop.signUp('leaver'),
  }
  for (const key of changing.filter(key => !key.includes('auth') && !afterwards.includes(key)))
    accepted((await everyCall[key]?.(others[key] ?? owner, world)) as TestResponse, key)
  accepted((await everyCall[removing]?.(owner, world)) as TestResponse, removing)
  await owner.post(`/api/reviews/${listing}/create-review`, { review: 'A second one.', stars: 1 })
  await ben.post(`/api/reviews/${listing}/create-review`, { review: 'A second one.', stars: 1 })
  const { images } = (await owner.get(`/api/products/${listing}`)).body
  for (const { url } of images ?? []) await owner.get(url)
  await owner.get(`/share/listings/${listing}.jpg`)
  await owner.get(`/share/makers/${owner.user.username}.jpg`)
  const { id: line } = (await owner.post(`/api/cart_items/add/${listing}`, { quantity: 1 })).body
  accepted(await owner.delete(`/api/cart_items/${line}`), 'removing a line')
  const login = { email: ben.user.email, password: ben.password }
  await everyCall['POST /api/auth/login']?.(ben, world)
  for (const person of [shop.visitor(), ben, ben])
    accepted(await person.post('/api/auth/login', login), 'login')
  const fields = { username: ben.user.username, first_name: 'Ben', last_name: 'Weaver' }
  await shop.visitor().post('/api/auth/signup', { ...login, ...fields, password: 'secret-2' })
  accepted((await everyCall['POST /api/auth/signup']?.(shop.visitor(), world)) as TestResponse, 'signup')
  accepted((await everyCall['POST /api/auth/password']?.(ben, world)) as TestResponse, 'password')
  const phone = new Authenticator()
  accepted(await addPasskey(ben, phone), 'a passkey')
  accepted(await logInWith(phone, shop.visitor()), 'login with a passkey')
  for (const key of Object.keys(everyCall).filter(key => /(PUT|POST) .*passkeys\/(conf|:id)/.test(key)))
    accepted((await everyCall[key]?.(owner, world)) as TestResponse, key)
  // The change of the address comes twice: one is cancelled, one waits for its letter.
  for (const key of Object.keys(everyCall).filter(key => /(POST|DELETE) .*auth\/(email|confirm)/.test(key)))
    await everyCall[key]?.(owner, world)
  accepted((await everyCall['POST /api/auth/email']?.(owner, world)) as TestResponse, 'change of the address')
  accepted(
    (await everyCall['DELETE /api/auth/sessions/:id']?.(owner, world)) as TestResponse,
    'ending a session',
  )
  const { sessions } = (await ben.get('/api/auth/sessions')).body
  await owner.post('/api/auth/login', { email: owner.user.email, password: owner.password })
  accepted(await owner.delete(`/api/products/${listing}`), 'deleting a listing')
  const cookie = ben.cookie
  for (const key of last.slice(0, 2)) await everyCall[key]?.(key.endsWith('logout') ? owner : ben, world)
  // An ended session.
  await ben.get('/api/auth/session', { cookie })
  if (sessions.length === 0) throw new Error('No session')

  for (const { run } of [exportJob(app), ...cleanupJobs(app)]) await run(AbortSignal.timeout(60_000))
  const email = await followed(letters, 'confirm-email', async token => {
    const { body } = await shop.visitor().post('/api/auth/confirm-email', { token })
    return body.outcome === 'changed' ? body.email : undefined
  })
  // After the change of the address, which ends such links.
  accepted(await shop.visitor().post('/api/auth/forgotten-password', { email }), 'a forgotten password')
  const reset = '/api/auth/reset-password'
  const token = await followed(letters, 'reset-password', async token =>
    (await shop.visitor().post(`${reset}/check`, { token })).status === 200 ? token : undefined,
  )
  accepted(await shop.visitor().post(reset, { token, new_password: owner.password }), 'a new password')
}
