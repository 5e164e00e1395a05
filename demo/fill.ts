import { randomBytes } from 'node:crypto'
import * as accounts from '#accounts/accounts.ts'
import { DEMO } from '#accounts/contract.ts'
import { add } from '#cart/add-to-cart.ts'
import * as cart from '#cart/cart.ts'
import { MAX_QUANTITY } from '#cart/contract.ts'
import type { Id } from '#contract'
import { create as addDraft } from '#drafts/drafts.ts'
import * as favourites from '#favourites/favourites.ts'
import { add as addImage, storeRenditions } from '#images/images.ts'
import { items } from '#orders/lists.ts'
import * as orders from '#orders/orders.ts'
import { SLUGS } from '#pages/contract.ts'
import { edited, publish, save } from '#pages/pages.ts'
import { discardWaiting } from '#platform/mail/outbox.ts'
import { Problem } from '#problem'
import * as products from '#products/products.ts'
import { reply as replyTo } from '#reviews/replies.ts'
import * as reviews from '#reviews/reviews.ts'
import { add as addSection } from '#sections/sections.ts'
import { details, madeToOrder, sections } from './details.ts'
import { drafts } from './drafts.ts'
import {
  dateReviews,
  furnishPostage,
  idIn,
  placePastOrders,
  putIntoCart,
  writeConversations,
  writeHistory,
} from './history.ts'
import { demoFavourites, replies } from './makers.ts'
import { pages } from './pages.ts'
import { readPicture } from './pictures.ts'
import { type App, introduce } from './profiles.ts'
import * as shop from './shop.ts'

/** The advisory lock of `fillDemo`. */
export const FILL_LOCK = 7_240_119

/**
 * Fills an empty database with the demo shop, through the features' own functions. An aborted fill continues: steps
 * that are done are skipped. A database with users is left alone. Fills must not run concurrently: hold FILL_LOCK.
 */
export async function fillDemo(app: App, log: (line: string) => void): Promise<void> {
  const [first, last] = [shop.makers[0], shop.shoppers.at(-1)]
  if (!first || !last || (await idOf(app, last)) !== undefined) return
  const anybody = await app.db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (anybody && (await idOf(app, first)) === undefined) return
  log('Filling the demo shop…')
  const people = new Map([[first.username, await signUp(app, first)]])
  // Together: to hash a password takes longer than all else of a signup.
  const others = [...shop.makers.slice(1), shop.demo, ...shop.shoppers.slice(0, -1)]
  const ids = await Promise.all(others.map(person => signUp(app, person)))
  for (const [n, id] of ids.entries()) people.set(others[n]?.username ?? '', id)
  const listings = await addListings(app, people)
  // Together: photos need the processor, and the history waits for the database.
  await allOf([addPhotos(app, people, listings), addHistory(app, people, listings)])
  // The last shopper's reviews mark the shop as filled.
  const id = await signUp(app, last)
  await review(app, new Map([[last.username, id]]), listings)
  await dateReviews(app.db, id)
  await discardWaiting(app.db)
}

/** Sales, orders, reviews, drafts, conversations and profiles. */
async function addHistory(app: App, people: Map<string, Id>, listings: Map<string, Id>): Promise<void> {
  await sell(app, people, listings)
  // Before the cart of the demo account is filled.
  await placePastOrders(app.db, people, listings)
  await furnishDemoAccount(app, people, listings)
  await review(app, people, listings)
  await introduce(app, people)
  for (const [key, fields] of drafts.entries())
    await addDraft(app.db, idIn(people, shop.demo.username), fields, `demo-${key}`)
  await answer(app, people, listings)
  await furnishPostage(app.db)
  await writeHistory(app.db, listings)
  await writeConversations(app.db, people, listings)
  await publishPages(app.db)
}

/** Pages about the shop, which an operator would write. */
async function publishPages(db: App['db']): Promise<void> {
  for (const slug of SLUGS) {
    const text = pages[slug]
    // An operator may have written it since an aborted fill.
    if (text === undefined || (await edited(db, slug, undefined)).base !== null) continue
    const { id } = await save(db, null, slug, { text, base: null })
    await publish(db, null, slug, { version: id, reason: 'The demo' })
  }
}

/** Waits for all, also after an error of one, which it throws: nothing goes on without the lock. */
async function allOf(steps: Promise<void>[]): Promise<void> {
  for (const step of await Promise.allSettled(steps)) if (step.status === 'rejected') throw step.reason
}

async function idOf({ db }: App, { username }: shop.Maker): Promise<Id | undefined> {
  const user = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst()
  return user?.id
}

/** Only the demo account has a known password. */
async function signUp(app: App, person: shop.Maker): Promise<Id> {
  const known = await idOf(app, person)
  if (known !== undefined) return known
  const password = person === shop.demo ? DEMO.password : randomBytes(12).toString('base64url')
  return (await accounts.signUp(app.db, { ...person, password })).user.id
}

/** Adds the sections of shops; those that are there are left alone. @returns key of a listing → its section */
async function addSections({ db }: App, people: Map<string, Id>): Promise<Map<string, Id>> {
  const sectionOf = new Map<string, Id>()
  for (const [maker, named] of Object.entries(sections))
    for (const [name, keys] of Object.entries(named)) {
      const { id } = await addSection(db, idIn(people, maker), name)
      for (const key of keys) sectionOf.set(key, id)
    }
  return sectionOf
}

/** Adds listings one by one, oldest first. @returns key → id */
async function addListings(app: App, people: Map<string, Id>): Promise<Map<string, Id>> {
  const ids = new Map<string, Id>()
  const sectionOf = await addSections(app, people)
  for (const { key, seller, name, category, description, price, stock } of shop.listings) {
    const user = idIn(people, seller)
    const known = await app.db
      .selectFrom('products')
      .select('id')
      .where('seller_id', '=', user)
      .where('name', '=', name)
      .executeTakeFirst()
    const draft = {
      name,
      category,
      description,
      price,
      stock,
      ...details[key],
      ...madeToOrder[key],
      section_id: sectionOf.get(key),
    }
    ids.set(key, known?.id ?? (await products.add(app.db, user, draft)).id)
  }
  return ids
}

/** Adds the photos that listings do not have yet, two listings at a time. */
async function addPhotos(app: App, people: Map<string, Id>, listings: Map<string, Id>): Promise<void> {
  const waiting = [...shop.listings]
  const photograph = async () => {
    for (let listing = waiting.shift(); listing; listing = waiting.shift()) {
      const product_id = idIn(listings, listing.key)
      const { deleted_at, known } = await app.db
        .selectFrom('products as p')
        .leftJoin('images as i', 'i.product_id', 'p.id')
        .select(({ fn }) => ['p.deleted_at', fn.count<number>('i.id').as('known')])
        .where('p.id', '=', product_id)
        .groupBy('p.id')
        .executeTakeFirstOrThrow()
      // A deleted listing has lost its photos.
      const missing = deleted_at ? [] : [listing.picture, ...(listing.views ?? [])].slice(Number(known))
      for (const picture of missing) {
        const stored = await storeRenditions(app.files, await readPicture(picture))
        await addImage(app.db, stored, idIn(people, listing.seller), { product_id })
      }
    }
  }
  await allOf([photograph(), photograph()])
}

/** Initial sales, by the shoppers in turn, one order each. */
async function sell(app: App, people: Map<string, Id>, listings: Map<string, Id>): Promise<void> {
  const buyers = shop.shoppers.slice(0, -1).map(({ username }) => idIn(people, username))
  for (const [turn, { key, stock, sold = 0 }] of shop.listings.entries()) {
    const id = idIn(listings, key)
    const buyer = buyers[turn % buyers.length]
    if (buyer === undefined || (await products.find(app.db, id)).stock !== stock) continue
    for (let left = sold; left > 0; left -= MAX_QUANTITY) {
      await add(app.db, buyer, id, { quantity: Math.min(left, MAX_QUANTITY) })
      await orders.place(app.db, buyer)
    }
  }
}

/** An order and a filled cart, so that every page has content. */
async function furnishDemoAccount(
  { db }: App,
  people: Map<string, Id>,
  listings: Map<string, Id>,
): Promise<void> {
  const user = idIn(people, shop.demo.username)
  const ordered = new Set((await items(db, user)).map(({ product_id }) => product_id))
  if (!shop.demoOrder.some(({ listing }) => ordered.has(idIn(listings, listing)))) {
    for (const { listing, quantity } of shop.demoOrder)
      await add(db, user, idIn(listings, listing), { quantity })
    await orders.place(db, user)
  }
  for (const key of demoFavourites) await favourites.save(db, user, idIn(listings, key))
  if ((await cart.lines(db, user)).length > 0) return
  for (const { listing, ...line } of shop.demoCart) await putIntoCart(db, user, idIn(listings, listing), line)
}

/** Replies to reviews. */
async function answer({ db }: App, people: Map<string, Id>, listings: Map<string, Id>): Promise<void> {
  for (const { listing, author, reply } of replies) {
    const [review] = await reviews.of(db, idIn(listings, listing), { author: idIn(people, author) })
    const seller = shop.listings.find(({ key }) => key === listing)?.seller ?? ''
    if (review?.reply === null) await replyTo(db, idIn(people, seller), review.id, reply)
  }
}

/** Reviews of these users. */
async function review({ db }: App, people: Map<string, Id>, listings: Map<string, Id>): Promise<void> {
  for (const { listing, author, stars, review } of shop.reviews) {
    const user = people.get(author)
    if (user === undefined) continue
    try {
      await reviews.create(db, user, idIn(listings, listing), { stars, review })
    } catch (error) {
      if (!(error instanceof Problem && error.status === 409)) throw error
    }
  }
}
