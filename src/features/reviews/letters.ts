import { sql } from 'kysely'
import { recipientOf } from '#accounts/recipient.ts'
import type { Id } from '#contract'
import type { Letter } from '#letter'
import { batchLookups } from '#platform/database/batch.ts'
import type { Database } from '#platform/database/database.ts'
import type { LetterKinds } from '#platform/mail/delivery.ts'

/** A review, as the letters about it show it. */
interface Reviewed {
  product_id: Id
  product: string
  stars: number
  review: string
  reply: string | null
}

const inStars = (stars: number) => `${stars} of 5 stars`

const review = (name: string, { product, product_id, stars, review }: Reviewed): Letter => ({
  subject: `A review of ${product}`,
  name,
  parts: [
    { text: `Somebody has reviewed ${product} with ${inStars(stars)}:` },
    { quote: review },
    { text: 'You can answer it on the page of the piece.' },
    { link: 'See the review', path: `/products/${product_id}` },
  ],
  why: 'a piece of yours was reviewed',
})

const reply = (name: string, { product, product_id, reply }: Reviewed): Letter => ({
  subject: `An answer to your review of ${product}`,
  name,
  parts: [
    { text: `The maker of ${product} has answered your review:` },
    { quote: reply ?? '' },
    { link: 'See the answer', path: `/products/${product_id}` },
  ],
  why: 'your review was answered',
})

const findReviews = batchLookups(async (db, ids) => {
  const reviews = await db
    .selectFrom('reviews as r')
    .innerJoin('products as p', 'p.id', 'r.product_id')
    .select(['r.id', 'r.product_id', 'p.name as product', 'r.stars', 'r.review'])
    .select(eb => eb.case().when('r.reply_hidden_at', 'is', null).then(eb.ref('r.reply')).end().as('reply'))
    .where('r.id', '=', sql<Id>`any(${ids}::bigint[])`)
    .where('p.deleted_at', 'is', null)
    .where('r.hidden_at', 'is', null)
    .execute()
  return new Map(reviews.map(review => [String(review.id), review]))
})
/** A review as it is now. Undefined if it or its listing was deleted or hidden. */
const find = (db: Database, id: Id): Promise<Reviewed | undefined> => findReviews(db, String(id))

const SAMPLE: Reviewed = {
  product_id: 7,
  product: 'Speckled mug',
  stars: 5,
  review: 'Keeps the tea warm, and fits the hand.\nI have ordered a second one.',
  reply: 'Thank you! The glaze is new.',
}

/** Letters about reviews. The subject of each is the review. */
export const reviewLetters: LetterKinds = {
  review: {
    async write(db, { subject, recipient }) {
      const [person, about] = await Promise.all([recipientOf(db, recipient), find(db, subject)])
      return person && about && { to: person.to, letter: review(person.name, about) }
    },
    sample: review('Ben', SAMPLE),
    optional: 'reviews of your pieces',
  },
  reply: {
    async write(db, { subject, recipient }) {
      const [person, about] = await Promise.all([recipientOf(db, recipient), find(db, subject)])
      return person && about?.reply ? { to: person.to, letter: reply(person.name, about) } : undefined
    },
    sample: reply('Ana', SAMPLE),
    optional: 'answers to your reviews',
  },
}
