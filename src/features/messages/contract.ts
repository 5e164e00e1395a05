import * as z from 'zod/mini'
import { sellerParams } from '#accounts/seller-path.ts'
import { Done, defineCalls, Id, IdInQuery, idempotent, ListQuery, Moment, PathId, text } from '#contract'

/** Greatest length of a message, code points. */
export const MESSAGE_LENGTH = 2_000
const EMPTY = 'Write something first'

export const NewMessage = z.object({
  text: text('Message', {
    required: EMPTY,
    max: [MESSAGE_LENGTH, `A message cannot be more than ${MESSAGE_LENGTH} characters`],
  }),
})

/** The two sides of an order, or of a conversation without one: the shopper or asking user, and the maker. */
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
  /** Cursor of earlier messages. Null without any. */
  next_cursor: z.nullable(z.string()),
  /** Id that marks all of these messages as read. Null if all are read. */
  newest_unread: z.nullable(Id),
  /** Whether the other side still has an account, and neither side has stopped the messages. */
  can_write: z.boolean(),
})
export type Conversation = z.infer<typeof Conversation>

/** Who the other side of a conversation is. */
const Other = z.object({
  /** Null if the account was deleted. */
  username: z.nullable(z.string()),
  /** Their name on pages: the shop name of a maker, otherwise the username. */
  name: z.string(),
  /** Whether they are a maker whose shop is suspended: then it has no page. */
  suspended: z.boolean(),
})
export type Other = z.infer<typeof Other>

/** The listing that a conversation began from. */
const Topic = z.object({ id: Id, name: z.string() })

const conversation = {
  id: Id,
  other: Other,
  /** Null without a listing, or if it is not listed any more. */
  listing: z.nullable(Topic),
}

/** A conversation without an order. */
export const DirectConversation = z.extend(Conversation, {
  ...conversation,
  /** The side that has stopped the messages. Null if neither has. */
  stopped: z.nullable(z.enum(['you', 'other'])),
})
export type DirectConversation = z.infer<typeof DirectConversation>

const ListedConversation = z.object({
  ...conversation,
  /** Which side the reader is on. */
  role: Side,
  /** The beginning of the newest message, and who wrote it. */
  newest: z.object({ role: Side, text: z.string(), created_at: Moment }),
  /** Messages of the other side that were not marked as read. */
  unread: z.int(),
})
export type ListedConversation = z.infer<typeof ListedConversation>

/** Data of the page for a first message to a maker. */
const FirstMessage = z.object({
  other: Other,
  listing: z.nullable(Topic),
  /** The conversation that there is already. */
  conversation: z.nullable(Id),
  /** Whether a new one can begin. */
  takes_messages: z.boolean(),
})
export type FirstMessage = z.infer<typeof FirstMessage>

const NewConversation = z.extend(NewMessage, {
  /** A listing of the maker that it is about. */
  listing: z.optional(z.int('Listing must be an id').check(z.positive('Listing must be an id'))),
})

const UP_TO = 'Up to must be the id of a message'
const UpTo = z.object({
  up_to: z.int(UP_TO).check(z.minimum(1, UP_TO), z.maximum(Number.MAX_SAFE_INTEGER, UP_TO)),
})
const ONCE = 'Names this attempt. The same key again answers the message that it sent, 422 with another text.'
const ofOrder = z.object({ orderId: PathId })
const ofConversation = z.object({ conversationId: PathId })

export const calls = defineCalls({
  'GET /api/orders/:orderId/messages': {
    summary:
      'Messages between the shopper and the maker of an order, for these two. It marks nothing as read',
    params: ofOrder,
    query: ListQuery,
    response: Conversation,
  },
  'POST /api/orders/:orderId/messages': {
    summary: 'Write to the other side of an order',
    params: ofOrder,
    headers: idempotent(ONCE),
    body: NewMessage,
    response: Message,
    status: 201,
  },
  'POST /api/orders/:orderId/messages/read': {
    summary: 'Mark messages of the other side as read, up to the one that is named',
    params: ofOrder,
    body: UpTo,
    response: Done,
  },
  'GET /api/messages/': {
    summary: 'Own conversations without an order, as shopper and as maker, newest message first',
    query: ListQuery,
    response: z.object({
      conversations: z.array(ListedConversation),
      next_cursor: z.nullable(z.string()),
      /** Conversations with unread messages, on all pages; at most 100. */
      unread: z.int(),
    }),
  },
  'GET /api/messages/to/:username': {
    summary:
      'Whether one can write to a maker without an order, and the conversation with them if there is one',
    params: sellerParams,
    query: z.object({
      listing: z.optional(IdInQuery),
    }),
    response: FirstMessage,
  },
  'POST /api/messages/to/:username': {
    summary: 'Write to a maker without an order. It begins the conversation with them, if there is none',
    params: sellerParams,
    headers: idempotent(ONCE),
    body: NewConversation,
    response: z.object({ conversation: Id, message: Message }),
    status: 201,
  },
  'GET /api/messages/:conversationId': {
    summary: 'A conversation without an order, for its two sides. It marks nothing as read',
    params: ofConversation,
    query: ListQuery,
    response: DirectConversation,
  },
  'POST /api/messages/:conversationId': {
    summary: 'Write in a conversation',
    params: ofConversation,
    headers: idempotent(ONCE),
    body: NewMessage,
    response: Message,
    status: 201,
  },
  'POST /api/messages/:conversationId/read': {
    summary: 'Mark messages of the other side as read, up to the one that is named',
    params: ofConversation,
    body: UpTo,
    response: Done,
  },
  'PUT /api/messages/:conversationId/stop': {
    summary: 'Stop the messages of a conversation: nobody writes in it, until one takes that back',
    params: ofConversation,
    response: Done,
  },
  'DELETE /api/messages/:conversationId/stop': {
    summary: 'Take back that one has stopped a conversation; not stopped is no error',
    params: ofConversation,
    response: Done,
  },
})
