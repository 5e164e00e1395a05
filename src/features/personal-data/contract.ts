import * as z from 'zod/mini'
import { HASH_COST, Names, User } from '#accounts/contract.ts'
import { Done, defineCalls, Id, Moment } from '#contract'

const REVIEWS = 'Reviews must be kept or removed'
/** What deletes an account. */
export const Deletion = z.object({
  current_password: z.string('Password is required').check(z.minLength(1, 'Password is required')),
  /** 'keep': reviews stay, by a deleted account. 'remove': they go too. */
  reviews: z.enum(['keep', 'remove'], REVIEWS),
})

/** What a deletion would do. */
export const DeletionPreview = z.object({
  listings: z.number(),
  reviews: z.number(),
  /** Pending orders that must be settled first, newest first, at most 20. */
  running: z.array(
    z.object({
      id: Id,
      /** Whether the user has ordered it, or made some of it. */
      role: z.enum(['shopper', 'maker']),
      created_at: Moment,
      pieces: z.array(z.object({ id: Id, name: z.string(), quantity: z.number() })),
    }),
  ),
})
export type DeletionPreview = z.infer<typeof DeletionPreview>

export const calls = defineCalls({
  'PUT /api/account/names': {
    summary: 'Change one’s names and username; the old username leads to the new one for a year',
    body: Names,
    answer: User,
  },
  'GET /api/account/deletion': {
    summary: 'What deleting one’s account would delete, and the orders that must be settled first',
    answer: DeletionPreview,
  },
  'POST /api/account/deletion': {
    summary: 'Delete one’s account for good',
    // Checks the password, and makes the hash of the placeholder.
    cost: 2 * HASH_COST,
    body: Deletion,
    answer: Done,
  },
})
