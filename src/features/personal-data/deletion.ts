import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { requirePassword } from '#accounts/accounts.ts'
import { addPlaceholder, erase, lockAccount } from '#accounts/erasure.ts'
import * as addresses from '#addresses/addresses.ts'
import * as cart from '#cart/cart.ts'
import { eraseChoices } from '#cart/choices.ts'
import type { Id } from '#contract'
import * as draftPictures from '#draft-pictures/draft-pictures.ts'
import * as drafts from '#drafts/drafts.ts'
import * as images from '#images/images.ts'
import { removeOfDeleted } from '#images/sweep.ts'
import * as messages from '#messages/anonymize.ts'
import { anonymizeReports } from '#moderation/anonymize.ts'
import * as operators from '#operators/operators.ts'
import * as orders from '#orders/running.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { deleteLettersTo } from '#platform/mail/outbox.ts'
import * as postage from '#postage/erasure.ts'
import { Problem } from '#problem'
import * as products from '#products/anonymize.ts'
import { isListedOrPaused } from '#products/paused.ts'
import * as reviews from '#reviews/anonymize.ts'
import { deleteVocabulary } from '#search/parse-query.ts'
import * as sections from '#sections/sections.ts'
import * as sellers from '#sellers/sellers.ts'
import * as pendingImports from '#transfer/pending-imports.ts'
import type { DeletionPreview } from './contract.ts'
import { deleteExport } from './exports.ts'

/** Message while orders are running. */
const RUNNING = 'Some of your orders are still running'

/** What deleting the account would delete, and the orders that must be settled first. */
export async function preview(db: Database, userId: Id): Promise<DeletionPreview> {
  const { listings, drafts, reviews } = await db
    .selectNoFrom(eb => [
      eb
        .selectFrom('products')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('seller_id', '=', userId)
        // Retired ones go too.
        .where(isListedOrPaused())
        .$asScalar()
        .as('listings'),
      eb
        .selectFrom('drafts')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('seller_id', '=', userId)
        .$asScalar()
        .as('drafts'),
      eb
        .selectFrom('reviews')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('user_id', '=', userId)
        .$asScalar()
        .as('reviews'),
    ])
    .executeTakeFirstOrThrow()
  const running = await orders.running(db, userId)
  const isLast = await operators.isLast(db, userId)
  return {
    listings: listings ?? 0,
    drafts: drafts ?? 0,
    reviews: reviews ?? 0,
    running: running.map(order => ({ ...order, created_at: order.created_at.toISOString() })),
    ...(isLast && { last_operator: true }),
  }
}

/**
 * Deletes an account for good. Orders and listings move to the placeholder account. Locks, in the order of a
 * checkout: the cart, then operators and the account, then the listings by ascending id, then the orders.
 * @param choice whether reviews move to the placeholder account, or are deleted
 * @throws Problem 400 if the password is wrong, 409 with the newest running orders, or for the last operator
 */
export async function deleteAccount(
  { db, files, privateFiles }: Pick<FastifyInstance, 'db' | 'files' | 'privateFiles'>,
  userId: Id,
  password: string,
  choice: 'keep' | 'remove',
): Promise<void> {
  const verified = await requirePassword(db, userId, password)
  const gone = await transaction(db, async db => {
    await cart.lock(db, userId)
    await operators.requireNotLast(db, userId)
    await lockAccount(db, userId, verified)
    await products.lockAll(db, userId)
    const running = await orders.running(db, userId)
    if (running.length > 0) throw refusal(running)
    const placeholder = await addPlaceholder(db)
    await products.anonymize(db, userId, placeholder)
    await draftPictures.erase(db, userId)
    await pendingImports.erase(db, userId)
    await images.disown(db, userId)
    await reviews.anonymize(db, userId, placeholder, choice)
    if (choice === 'keep') await anonymizeReports(db, userId, placeholder)
    await orders.anonymize(db, userId, placeholder)
    await messages.anonymize(db, userId, placeholder)
    await eraseChoices(db, userId)
    await addresses.erase(db, userId)
    await postage.erase(db, userId)
    const photos = await drafts.erase(db, userId)
    await sections.erase(db, userId)
    const pictures = await sellers.erase(db, userId)
    await deleteVocabulary(db, userId)
    const archive = await deleteExport(db, userId)
    await deleteLettersTo(db, userId)
    await erase(db, userId)
    return { placeholder, archive, photos: [...pictures, ...photos] }
  })
  const removal = (async () => {
    // If the storage is unavailable, the cleanup job retries.
    if (gone.archive !== undefined) await privateFiles.remove(gone.archive).catch(() => {})
    for (const folder of gone.photos) await images.discard(files, folder)
    await removeOfDeleted(db, files, { seller: gone.placeholder }).catch(() => {})
  })()
  // The account is gone. In an object store thousands of photos take longer than a browser waits.
  await Promise.race([removal, sleep(FILES_MS, undefined, { ref: false })])
}

/** How long a deletion waits for its files, milliseconds. */
const FILES_MS = 5_000

const refusal = (running: orders.RunningOrder[]) => {
  const named = running.map(({ id, role, state, begun, pieces }) => {
    const names = pieces.map(({ name }) => name).join(', ')
    if (state === 'sent') return `Order ${id} is on its way: ${names}`
    if (role === 'maker') return `Order ${id} waits for your pieces: ${names}`
    return `Your order ${id} is ${begun ? 'not finished' : 'pending'}: ${names}`
  })
  return new Problem(409, RUNNING, { errors: [RUNNING, ...named] })
}
