import { anAddress, finishedDraft, letterPost, openWorld, unfinished, type World } from '../fixtures.ts'
import type { Person, Shop, TestResponse } from '../person.ts'
import { ABOUT_SESSIONS, type Generated } from './generated-requests.ts'

/** A request and its response; no response if no client could send it. */
interface Sent {
  method: string
  url: string
  headers: Record<string, string>
  response: TestResponse | undefined
  /** Milliseconds. */
  took: number
}

/** Sends generated requests for one call, with data of its own in which they can succeed repeatedly. */
export class Sender {
  readonly #shop: Shop
  readonly #key: string
  readonly #bystander: World
  #own: World
  /** The last cursor of the call. */
  #cursor = ''
  /** Renewals run one by one. */
  #renewed: Promise<void> = Promise.resolve()

  private constructor(shop: Shop, key: string, bystander: World, own: World) {
    this.#shop = shop
    this.#key = key
    this.#bystander = bystander
    this.#own = own
  }

  /** @param bystander the user whose ids strangers use */
  static async open(shop: Shop, key: string, bystander: World): Promise<Sender> {
    const own = await openWorld(shop, 'eve')
    const sender = new Sender(shop, key, bystander, own)
    if (key.endsWith('create-review')) await withdrawn(own.owner, own.review)
    sender.#own = { ...own, ...(await preparations[key]?.(own)) }
    return sender
  }

  async send({ sender, id, query, headers: generated, payload }: Generated): Promise<Sent> {
    const person = sender === 'visitor' ? this.#shop.visitor() : this.#own.owner
    const names = this.#namesIn(sender === 'owner' ? this.#own : this.#bystander)
    const [method = '', path = ''] = this.#key.split(' ')
    const url =
      path.replace(/:\w+/, () => names[id] ?? id).replace(':eventId', names.event ?? '') +
      (this.#cursor ? query : query.replace('cursor=%7Bcursor%7D', '')).replace(
        /%7B(\w+)%7D/g,
        (other, name) => names[name] ?? other,
      )
    const headers = Object.fromEntries(
      Object.entries(generated).map(([name, value]) => [
        name,
        value.replace(/\{(\w+)\}/g, (other, name) => names[name] ?? other),
      ]),
    )
    const { cookie } = person
    const began = performance.now()
    const parcel = `"parcel":${names.event}`
    const withParcel = typeof payload === 'string' ? payload.replace('"parcel":1', parcel) : payload
    const body = method === 'GET' ? {} : { payload: withParcel }
    const response = await person.send({ method: method as 'GET', url, headers, ...body }).catch(unsendable)
    const took = performance.now() - began
    person.cookie = cookie
    if (response && sender !== 'visitor') await this.#renew(person, response)
    this.#cursor = response?.body?.next_cursor ?? response?.body?.at?.(-1)?.cursor ?? this.#cursor
    return { method, url, headers, response, took }
  }

  #namesIn(world: World): Record<string, string> {
    const {
      owner,
      listing,
      line,
      order,
      review,
      session,
      passkey,
      profile,
      section,
      address,
      draft,
      pending,
      conversation,
      event = 1,
    } = world
    const ids = {
      ...{ owner: owner.user.id, listing, line, order, review, session, passkey },
      ...{ profile, section, address, draft, pending, event, conversation },
    }
    return {
      ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)])),
      maker: encodeURIComponent(owner.user.username),
      cursor: encodeURIComponent(this.#cursor),
    }
  }

  /** Restores what a success has used up. */
  async #renew(person: Person, response: TestResponse): Promise<void> {
    const renew = renewals[this.#key]
    const isLost = ABOUT_SESSIONS.test(this.#key) && response.status < 400
    if (!renew && !isLost) return
    this.#renewed = this.#renewed.then(async () => {
      // Another renewal may have done it.
      if (person !== this.#own.owner) return
      const renewed = renew
        ? await renew(this.#own, response, this.#shop)
        : await stillSignedIn(this.#own, this.#shop)
      this.#own = { ...this.#own, ...renewed }
    })
    await this.#renewed
  }
}

type Renewal = (own: World, answer: TestResponse, shop: Shop) => Promise<Partial<World>>

const withdrawn = (owner: Person, review: number) => owner.delete(`/api/reviews/${review}/delete-review`)
const filled = async ({ owner, listing }: World) =>
  (await owner.post(`/api/cart_items/add/${listing}`, { quantity: 2 })).body.id as number

/** Another draft, after one is gone or has as many photos as it can have. */
const renewedDraft: Renewal = async ({ owner }, { status }) =>
  status === 200 || status === 409
    ? { draft: (await owner.post('/api/drafts/', { fields: unfinished })).body.id }
    : {}

/** Sends everything that is open of the order. */
async function sent({ owner, order }: World): Promise<Partial<World>> {
  const { body } = await owner.post(`/api/sales/${order}/parcels`, {})
  // An order has a maximum number of events.
  return body.parcels ? { event: body.parcels.at(-1).id } : {}
}

/** What these calls need beside the data that every sender has. */
const preparations: Record<string, (own: World) => Promise<Partial<World>>> = {
  'POST /api/drafts/:draftId/publish': async own => ({ draft: await finishedDraft(own) }),
  async 'GET /api/drafts/:draftId/listing'(own) {
    const draft = await finishedDraft(own)
    await own.owner.post(`/api/drafts/${draft}/publish`)
    return { draft }
  },
  'POST /api/orders/:orderId/received': sent,
  'POST /api/sales/:orderId/parcels/:eventId/tracking': sent,
  'POST /api/sales/:orderId/events/:eventId/undo': sent,
  async 'POST /api/sales/:orderId/refunds'({ owner, order }) {
    await owner.post(`/api/sales/${order}/payments`, { amount: 1_000, day: '2026-01-02' })
    return {}
  },
}

/** Restores data after successful responses of these calls. */
const renewals: Record<string, Renewal> = {
  'DELETE /api/products/:id': async ({ owner }, { status }, shop) =>
    status === 200 ? { listing: (await shop.list(owner)).id } : {},
  // One that stays retired would be missed by the calls after it.
  'POST /api/products/:id/retire': async ({ owner, listing }, { status }) => {
    if (status === 200) await owner.post(`/api/products/${listing}/restore`)
    return {}
  },
  // A listing has a maximum number of photos.
  'POST /api/products/:id/images': async ({ owner }, { status }, shop) =>
    status === 409 ? { listing: (await shop.list(owner)).id } : {},
  'POST /api/cart_items/add/:productId': async ({ owner, line }, { status }) => {
    if (status === 400 || status === 409) await owner.delete(`/api/cart_items/${line}`)
    return {}
  },
  // The default one cannot be deleted.
  'DELETE /api/postage/:profileId': async ({ owner }, { status }) =>
    status === 200 || status === 409
      ? { profile: (await owner.post('/api/postage/', letterPost)).body.id }
      : {},
  // One has a maximum number of drafts, and a draft of photos.
  'POST /api/drafts/': async ({ owner, draft }, { status, body }) => {
    if (status === 201 && body.id !== draft) await owner.delete(`/api/drafts/${body.id}`)
    return {}
  },
  'POST /api/products/:id/draft': async ({ owner }, { status, body }) => {
    if (status === 201) await owner.delete(`/api/drafts/${body.id}`)
    return {}
  },
  'DELETE /api/drafts/:draftId': renewedDraft,
  // The last file replaces the one before.
  'POST /api/import/': async (_, { status, body }) => (status === 201 ? { pending: body.id } : {}),
  'POST /api/drafts/:draftId/images': renewedDraft,
  'POST /api/drafts/:draftId/publish': async (own, { status }) =>
    status === 200 ? { draft: await finishedDraft(own) } : {},
  'POST /api/sales/:orderId/events/:eventId/undo': (own, { status }) =>
    status < 300 ? sent(own) : Promise.resolve({}),
  'DELETE /api/sections/:sectionId': async ({ owner }, { status }) =>
    status === 200 ? { section: (await owner.post('/api/sections/', { name: 'Mugs' })).body.id } : {},
  // One has a maximum number of sections.
  'POST /api/sections/': async ({ owner, section }, { status, body }) => {
    if (status === 201 && body.id !== section) await owner.delete(`/api/sections/${body.id}`)
    return {}
  },
  // One has a maximum number of addresses.
  'POST /api/addresses/': async ({ owner }, { status, body }) => {
    if (status === 201) await owner.delete(`/api/addresses/${body.id}`)
    return {}
  },
  'DELETE /api/addresses/:addressId': async ({ owner }, { status }) =>
    status === 200 ? { address: (await owner.post('/api/addresses/', anAddress)).body.id } : {},
  'DELETE /api/cart_items/:id': async (own, { status }) =>
    status === 200 ? { line: await filled(own) } : {},
  'POST /api/orders/checkout': async (own, { status, body }) => {
    if (status !== 201) return {}
    await own.owner.delete(`/api/orders/${body.id}/delete-order`)
    return { line: await filled(own) }
  },
  'DELETE /api/orders/:orderId/delete-order': async (own, { status }) => {
    if (status !== 200) return {}
    const order = (await own.owner.post('/api/orders/checkout')).body.id
    return { order, line: await filled(own) }
  },
  'POST /api/reviews/:productId/create-review': async ({ owner }, { status, body }) => {
    if (status === 201) await withdrawn(owner, body.id)
    return {}
  },
  'DELETE /api/reviews/:id/delete-review': async ({ owner, listing }, { status }) => {
    if (status !== 200) return {}
    const review = { review: 'Keeps the tea warm.', stars: 5 }
    return { review: (await owner.post(`/api/reviews/${listing}/create-review`, review)).body.id }
  },
}

async function stillSignedIn({ owner }: World, shop: Shop): Promise<Partial<World>> {
  const { status } = await owner.get('/api/auth/')
  if (status === 200) return {}
  const renewed = await shop.signUp('eve')
  return { owner: renewed, session: (await renewed.get('/api/auth/sessions')).body.sessions[0].id }
}

/** Requests that no client can send. */
function unsendable(error: Error & { code?: string }): undefined {
  if (/^ERR_(UNESCAPED_CHARACTERS|INVALID_CHAR|INVALID_HTTP_TOKEN)$/.test(error.code ?? '')) return
  throw error
}
