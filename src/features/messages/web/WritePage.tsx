import { Link, useLoaderData, useLocation } from 'react-router'
import { MakerLink } from '#accounts/web/MakerLink.tsx'
import { Write } from './Conversation.tsx'
import type { loader } from './write.route.ts'
import './messages.css'

/** The page for a first message to a maker. */
export function Page() {
  const { username, first } = useLoaderData<typeof loader>()
  const { pathname, search } = useLocation()
  const name = first?.other.name ?? username
  const isClosed = first?.takes_messages === false
  return (
    <article className="conversation">
      <h1 dir="auto">{`Write to ${name}`}</h1>
      {first?.listing && (
        <p className="topic">
          {'About '}
          <Link to={`/products/${first.listing.id}`} dir="auto">
            {first.listing.name}
          </Link>
        </p>
      )}
      {isClosed ? (
        <p>
          {'What they say of themselves: '}
          <MakerLink username={username}>{name}</MakerLink>
        </p>
      ) : (
        <p>{`Only the two of you can read it. ${name} sees your username, but not your e-mail address.`}</p>
      )}
      <section className="messages">
        <Write
          key={pathname + search}
          action={pathname + search}
          other={name}
          closed={isClosed ? `${name} takes no messages here.` : undefined}
        />
      </section>
    </article>
  )
}
