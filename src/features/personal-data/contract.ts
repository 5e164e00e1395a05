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
  /** Also retired ones. */
  listings: z.number(),
  drafts: z.number(),
  reviews: z.number(),
  /** Orders that must be settled first, newest first, at most 20. */
  running: z.array(
    z.object({
      id: Id,
      /** Whether the user has ordered it, or makes it. */
      role: z.enum(['shopper', 'maker']),
      /** 'open': some pieces are neither sent nor cancelled. 'sent': a parcel is on its way. */
      state: z.enum(['open', 'sent']),
      /** Some pieces are sent or cancelled: its shopper cannot cancel it any more. Missing: none are. */
      begun: z.optional(z.literal(true)),
      created_at: Moment,
      pieces: z.array(
        z.object({
          id: Id,
          name: z.string(),
          quantity: z.number(),
          /** Its listing is not for sale any more, and has no page. Missing: it has one. */
          gone: z.optional(z.literal(true)),
        }),
      ),
    }),
  ),
  /** True for the last operator, who cannot be deleted. Left out for other users. */
  last_operator: z.optional(z.literal(true)),
})
export type DeletionPreview = z.infer<typeof DeletionPreview>

/** What there is to download of the own data. */
export const DataExport = z.object({
  /** none: not asked for, or expired. failed: it can be asked for again. */
  state: z.enum(['none', 'making', 'ready', 'failed']),
  /** Size of the archive. */
  bytes: z.nullable(z.number()),
  /** Until when it can be downloaded. */
  expires_at: z.nullable(Moment),
  /** When one can be asked for again. Null: now. */
  again_at: z.nullable(Moment),
  /** Whether a letter says that it is ready: not in a shop without a mail server. */
  by_letter: z.boolean(),
})
export type DataExport = z.infer<typeof DataExport>

/** Address of the archive. Not a call: it answers with a file. */
export const ARCHIVE_PATH = '/api/account/data/file'

const UNKNOWN_ARCHIVE = 'Archive must be the secret of a letter'
/** Names an archive by the link in its letter. */
export const ArchiveQuery = z.object({
  archive: z.optional(z.string(UNKNOWN_ARCHIVE).check(z.maxLength(100, UNKNOWN_ARCHIVE))),
})

export const calls = defineCalls({
  'PUT /api/account/names': {
    summary: 'Change one’s names and username; the old username leads to the new one for a year',
    body: Names,
    response: User,
  },
  'POST /api/account/data': {
    summary: 'Ask for an archive of the own data, which is made in the background; once a day',
    response: DataExport,
    status: 201,
  },
  'GET /api/account/data': {
    summary: `Whether the archive is ready; it is at \`${ARCHIVE_PATH}\``,
    query: ArchiveQuery,
    response: DataExport,
  },
  'GET /api/account/deletion': {
    summary: 'What deleting one’s account would delete, and the orders that must be settled first',
    response: DeletionPreview,
  },
  'POST /api/account/deletion': {
    summary: 'Delete one’s account for good',
    // Checks the password, and makes the hash of the placeholder.
    cost: 2 * HASH_COST,
    body: Deletion,
    response: Done,
  },
})
