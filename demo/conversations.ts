import { sql } from 'kysely'
import type { Id } from '#contract'
import * as conversations from '#messages/conversations.ts'
import { writeTo } from '#messages/first-message.ts'
import type { Database } from '#platform/database/database.ts'

/** Somebody's question about a piece, before an order. */
interface Past {
  shopper: string
  maker: string
  listing: string
  /** How many days ago it began. */
  days: number
  /** From the oldest to the newest; the first one is the shopper's. */
  messages: { by: 'shopper' | 'maker'; text: string }[]
  /** Whether the newest one is unread. */
  unread?: boolean
}

/** Conversations of the demo account: as a maker, and as a shopper. */
const pastConversations: Past[] = [
  {
    shopper: 'demo',
    maker: 'odo_birchwhistle',
    listing: 'solitaire-board',
    days: 40,
    messages: [
      { by: 'shopper', text: 'Could the board come with brown marbles? My aunt plays on a green cloth.' },
      { by: 'maker', text: 'Of course: I have a bag of them. Say so when you order.' },
      { by: 'shopper', text: 'Lovely, thank you.' },
    ],
  },
  {
    shopper: 'ottilie_brambling',
    maker: 'demo',
    listing: 'spinning-tops',
    days: 3,
    messages: [
      { by: 'shopper', text: 'My nephew has just turned three. Are the tops too small for him?' },
      {
        by: 'maker',
        text: 'The smallest is 5 cm wide, too large to swallow, but its tip is a little sharp. I would wait until he is four.',
      },
      {
        by: 'shopper',
        text: 'Then they wait in my cupboard for a year. Could you have two sets ready by Friday?',
      },
    ],
    unread: true,
  },
]

const DAY_MS = 24 * 60 * 60 * 1000

/** Writes the conversations that are missing, as if they had happened in the past. Doing it again changes nothing. */
export async function writeConversations(
  db: Database,
  people: Map<string, Id>,
  listings: Map<string, Id>,
): Promise<void> {
  for (const past of pastConversations) {
    const [shopper, maker] = [people.get(past.shopper), people.get(past.maker)]
    const listing = listings.get(past.listing)
    if (shopper === undefined || maker === undefined || listing === undefined)
      throw new Error(`The demo has no ${past.shopper}, ${past.maker} or ${past.listing}`)
    let id: Id | undefined
    for (const [n, { by, text }] of past.messages.entries()) {
      const message = { text, key: `demo-${n}` }
      if (id === undefined)
        id = (await writeTo(db, shopper, past.maker, { ...message, listing, onNew: async () => {} }))
          .conversation
      else await conversations.write(db, by === 'maker' ? maker : shopper, id, message)
    }
    if (id !== undefined) await date(db, id, past)
  }
}

/** Moves a conversation into the past. Each message came a third of a day after the one before. */
async function date(db: Database, id: Id, { days, messages, unread = false }: Past): Promise<void> {
  const began = Date.now() - days * DAY_MS
  for (const n of messages.keys()) {
    const sent = new Date(began + (n * DAY_MS) / 3)
    const isUnread = unread && n === messages.length - 1
    await db
      .updateTable('conversation_messages')
      .set({ created_at: sent, read_at: isUnread ? null : sent })
      .where('conversation_id', '=', id)
      .where('key', '=', `demo-${n}`)
      .execute()
  }
  await sql`
    update conversations set created_at = dated.first, newest_at = dated.last
    from (
      select min(created_at) as first, max(created_at) as last from conversation_messages where conversation_id = ${id}
    ) as dated where id = ${id}
  `.execute(db)
}
