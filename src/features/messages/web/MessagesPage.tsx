import { Link, useLoaderData } from 'react-router'
import { formatMoment } from '#format-date'
import { Empty } from '#ui/Empty.tsx'
import { Paging } from '#ui/Paging.tsx'
import type { ListedConversation } from '../contract.ts'
import { DELETED } from './Conversation.tsx'
import type { loader } from './messages.route.ts'
import './messages.css'

/** The user's conversations without an order, as shopper and as maker, newest first. */
export function Page() {
  const { conversations, next_cursor, unread } = useLoaderData<typeof loader>()
  return (
    <section className="conversations">
      <h1>Messages</h1>
      {unread > 0 && <p>{unread === 1 ? '1 conversation is new' : `${unread} conversations are new`}</p>}
      {conversations.length === 0 ? (
        <Empty drawing="wool" text="You have not asked a maker anything, and nobody has asked you">
          <Link className="button quiet" to="/makers">
            See who makes things
          </Link>
        </Empty>
      ) : (
        <ul>
          {conversations.map(conversation => (
            <Item key={conversation.id} {...conversation} />
          ))}
        </ul>
      )}
      <Paging next={next_cursor} />
      <p className="hint">
        Messages about an order stand on its page: see <Link to="/orders">your orders</Link> and{' '}
        <Link to="/sold">what you have sold</Link>.
      </p>
    </section>
  )
}

function Item({ id, role, other, listing, newest, unread }: ListedConversation) {
  return (
    <li className={unread > 0 ? 'unread' : undefined}>
      <p className="message-head">
        {unread > 0 && (
          <span className="new">{unread === 1 ? '1 new message' : `${unread} new messages`}</span>
        )}
        <time dateTime={newest.created_at}>{formatMoment(newest.created_at)}</time>
      </p>
      <h2>
        <Link className="alone" to={`/messages/${id}#messages`} dir="auto">
          {other.name}
        </Link>
      </h2>
      {listing && <p className="topic" dir="auto">{`About ${listing.name}`}</p>}
      <p className="excerpt" dir="auto">
        {newest.role === role ? `You: ${newest.text}` : newest.text || DELETED}
      </p>
    </li>
  )
}
