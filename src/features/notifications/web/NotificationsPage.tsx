import { useEffect } from 'react'
import { Form, Link, useFetcher, useLoaderData, useLocation } from 'react-router'
import { formatMoment } from '#format-date'
import { Empty } from '#ui/Empty.tsx'
import { Paging } from '#ui/Paging.tsx'
import { pageCursorIn } from '#ui/page-cursor.ts'
import type { Notification } from '../contract.ts'
import type { loader } from './notifications.route.ts'
import './notifications.css'

export function Page() {
  const { notifications, next_cursor, newest_unread } = useLoaderData<typeof loader>()
  useMarkSeen(newest_unread)
  const isFirst = pageCursorIn(useLocation().search) === ''
  return (
    <section className="notifications">
      <div className="notifications-head">
        <h1>Notifications</h1>
        {/* With scripts, opening the page is enough. */}
        {newest_unread && (
          <Form method="post" action="/notifications">
            <button className="button quiet unscripted" type="submit" name="newest" value={newest_unread}>
              {isFirst ? 'Mark all as read' : 'Mark these and older ones as read'}
            </button>
          </Form>
        )}
      </div>
      {notifications.length === 0 && next_cursor === null ? (
        <Empty drawing="wool" text="Nothing has happened lately">
          <Link className="button quiet" to="/">
            Look around
          </Link>
        </Empty>
      ) : (
        <ul>
          {notifications.map(notification => (
            <Item key={notification.id} {...notification} />
          ))}
        </ul>
      )}
      <Paging next={next_cursor} />
    </section>
  )
}

function Item({ text, path, created_at, unread }: Notification) {
  return (
    <li className={unread ? 'unread' : undefined}>
      {unread && <span className="new">New</span>}
      {path === null ? (
        <span dir="auto">{text}</span>
      ) : (
        <Link to={path} dir="auto">
          {text}
        </Link>
      )}
      <time dateTime={created_at}>{formatMoment(created_at)}</time>
    </li>
  )
}

/**
 * Marks everything as read once the page is seen. A request that loads the page does not: browsers make it ahead of time, and a
 * GET must change nothing. So does a page that is prepared in the background: it is not visible yet.
 */
function useMarkSeen(newest: string | null): void {
  const { submit } = useFetcher()
  useEffect(() => {
    if (newest === null) return
    const seen = new AbortController()
    const mark = () => {
      if (document.visibilityState !== 'visible') return
      seen.abort()
      void submit({ newest }, { method: 'post', action: '/notifications' })
    }
    document.addEventListener('visibilitychange', mark, { signal: seen.signal })
    mark()
    return () => seen.abort()
  }, [newest, submit])
}
