import * as z from 'zod/mini'
import { Done, defineCalls, Id, idempotent, ListQuery, Moment, PathId, text } from '#contract'

/** Greatest length of a message, code points. */
export const MESSAGE_LENGTH = 2_000
const EMPTY = 'Write something first'

export const NewMessage = z.object({
  text: text('Message', {
    required: EMPTY,
    max: [MESSAGE_LENGTH, `A message cannot be more than ${MESSAGE_LENGTH} characters`],
  }),
})

/** The two who can read and write about an order. */
const Side = z.enum(['shopper', 'maker'])
export type Side = z.infer<typeof Side>

export const Message = z.object({
  id: Id,
  /** Who wrote it. */
  role: Side,
  text: z.string(),
  created_at: Moment,
  /** Whether it is from the other side, and was not marked as read. */
  unread: z.boolean(),
})
export type Message = z.infer<typeof Message>

export const Conversation = z.object({
  /** Which side the reader is on. */
  role: Side,
  /** Oldest first: the newest of all, or those before `cursor`. */
  messages: z.array(Message),
  /** Leads to earlier messages. null: there are none. */
  next_cursor: z.nullable(z.string()),
  /** What marks all of these as read. null: nothing here is unread. */
  newest_unread: z.nullable(Id),
  /** Whether the other side still has an account. */
  can_write: z.boolean(),
})
export type Conversation = z.infer<typeof Conversation>

const UP_TO = 'Up to must be the id of a message'
const ofOrder = z.object({ orderId: PathId })

export const calls = defineCalls({
  'GET /api/orders/:orderId/messages': {
    summary:
      'Messages between the shopper and the maker of an order, for these two. It marks nothing as read',
    params: ofOrder,
    query: ListQuery,
    answer: Conversation,
  },
  'POST /api/orders/:orderId/messages': {
    summary: 'Write to the other side of an order',
    invalidates: false,
    params: ofOrder,
    headers: idempotent(
      'Names this attempt. The same key again answers the message that it sent, 422 with another text.',
    ),
    body: NewMessage,
    answer: Message,
    status: 201,
  },
  'POST /api/orders/:orderId/messages/read': {
    summary: 'Mark messages of the other side as read, up to the one that is named',
    invalidates: false,
    params: ofOrder,
    body: z.object({
      up_to: z.int(UP_TO).check(z.minimum(1, UP_TO), z.maximum(Number.MAX_SAFE_INTEGER, UP_TO)),
    }),
    answer: Done,
  },
})
