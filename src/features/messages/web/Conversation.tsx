import { useEffect, useId, useRef, useState } from 'react'
import { Link, useActionData, useFetcher, useLocation } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { fieldErrors } from '#contract'
import { formatMoment } from '#format-date'
import { Problems, TextAreaField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import type * as Contract from '../contract.ts'
import { MESSAGE_LENGTH, NewMessage } from '../contract.ts'
import { type ConversationResult, EARLIER, messageOf } from './conversation.ts'
import './messages.css'

interface ConversationProps {
  /** Null if the session has ended. The typed text is shown again. */
  conversation: Contract.Conversation | null
  /** Who the other side is: 'mila', 'your shopper'. */
  other: string
  /** The same where a sentence begins: 'Your shopper'. Default: `other`. */
  author?: string | undefined
  /** Why no message can be written. Default: the other account is deleted. */
  closed?: string | undefined
  /** What a new message begins with. */
  start?: string | undefined
}

/**
 * Messages with the form for another one, for both sides. The page of an order is at an address with the parameter
 * `orderId`. Its loader returns `conversationOf(args)`, and its action begins with
 *
 *     const form = await args.request.formData()
 *     const done = await changeConversation(args, form)
 *     if (done !== undefined) return done
 *
 * What is unread is marked as read when the page is seen; the route's `shouldRevalidate` is `keepsNew`.
 */
export function Conversation({
  conversation,
  other,
  author = other,
  closed = `${author} has no account any more, so no message would be read.`,
  start,
}: ConversationProps) {
  const { pathname, search } = useLocation()
  const titleId = useId()
  useMarkRead(conversation?.newest_unread ?? null, pathname)
  const { messages = [], next_cursor = null, can_write = true } = conversation ?? {}
  const isEarlier = new URLSearchParams(search).has(EARLIER)
  return (
    <section className="messages" id="messages" aria-labelledby={titleId}>
      <h2 id={titleId}>{`Messages with ${other}`}</h2>
      {next_cursor !== null && (
        <p>
          <Link className="alone" to={`?${EARLIER}=${next_cursor}#messages`}>
            Earlier messages
          </Link>
        </p>
      )}
      {/* Screen readers announce what is added. */}
      <div role="log" aria-labelledby={titleId}>
        {conversation && messages.length === 0 && (
          <p className="hint">
            {can_write ? 'No messages yet. Only the two of you can read them.' : 'No messages.'}
          </p>
        )}
        <ol>
          {messages.map(message => (
            <Item key={message.id} {...message} isOwn={message.role === conversation?.role} author={author} />
          ))}
        </ol>
      </div>
      {isEarlier && (
        <p>
          <Link className="alone" to="?#messages">
            Newest messages
          </Link>
        </p>
      )}
      {conversation?.newest_unread != null && (
        <form method="post" action={`${pathname}#messages`}>
          <input type="hidden" name="intent" value="read" />
          {/* With scripts, seeing the page is enough. */}
          <button
            className="button quiet unscripted"
            type="submit"
            name="up_to"
            value={conversation.newest_unread}
          >
            Mark as read
          </button>
        </form>
      )}
      <Write
        // After Back to another conversation it is another form.
        key={pathname}
        action={`${pathname}#messages`}
        other={other}
        closed={can_write ? undefined : closed}
        start={start}
      />
    </section>
  )
}

/** In place of a message that was deleted with the account of its author. */
export const DELETED = 'Deleted with the account'

function Item({
  text,
  created_at,
  unread,
  isOwn,
  author,
}: Contract.Message & { isOwn: boolean; author: string }) {
  return (
    <li className={isOwn ? 'own' : undefined}>
      <p className="message-head">
        <strong>{isOwn ? 'You' : author}</strong>
        <time dateTime={created_at}>{formatMoment(created_at)}</time>
        {unread && <span className="new">New</span>}
      </p>
      <p className="message-text" dir="auto">
        {text || DELETED}
      </p>
    </li>
  )
}

interface WriteProps {
  /** Address of a page whose action sends the message. */
  action: string
  other: string
  /** Why no message can be written. Undefined if one can. */
  closed?: string | undefined
  start?: string | undefined
}

/** The form for a message, or why there is none. A refused text stays, to be read and copied. */
export function Write({ action, other, closed, start }: WriteProps) {
  const fetcher = useFetcher<ConversationResult>()
  // Without scripts, and before they have loaded.
  const posted = useActionData<Partial<ConversationResult>>()?.conversation
  const result = fetcher.data?.conversation ?? posted
  // Sent without scripts.
  const sent = useFlash({ message: 'Sent' })
  const [opened] = useState(newIdempotencyKey)
  const { errors, form } = useRules(data => fieldErrors(NewMessage, messageOf(data)), result?.fields)
  const isSent = result?.sent !== undefined
  const busy = fetcher.state === 'submitting' || (fetcher.state === 'loading' && isSent)
  const cleared = useRef<number>(undefined)
  // Empties the field once it was sent, but not what was typed meanwhile.
  useEffect(() => {
    const area = form.ref.current?.querySelector('textarea')
    if (result?.sent === undefined || cleared.current === result.sent || !area) return
    cleared.current = result.sent
    if (area.value.trim() !== result.typed.replaceAll('\r\n', '\n').trim()) return
    area.value = ''
    // For the counter. It does not bubble: the form would refuse the empty field.
    area.dispatchEvent(new Event('input'))
  }, [result, form.ref])
  const isRefused = result !== undefined && !isSent
  const empty = result ? '' : start
  const hint = closed !== undefined && <p className="hint">{closed}</p>
  if (hint && !isRefused) return hint
  return (
    <fetcher.Form method="post" action={action} {...form}>
      {hint}
      <Problems messages={result?.problems} of={result ?? null} />
      {result?.loginNeeded && <LoginNeeded />}
      <AccountField typed={posted?.account} />
      <input type="hidden" name="intent" value="message" />
      <input type="hidden" name="key" value={result?.key ?? opened} suppressHydrationWarning />
      <TextAreaField
        label={`Write to ${other}`}
        name="text"
        rows={4}
        defaultValue={isRefused ? result.typed : empty}
        error={errors.text}
        limit={MESSAGE_LENGTH}
      />
      <div className="actions">
        <SubmitButton busy={busy}>Send message</SubmitButton>
        <div role="status">
          {!busy && (result ? result.sent !== undefined : sent) && <p className="success">Sent</p>}
        </div>
      </div>
    </fetcher.Form>
  )
}

/**
 * Marks messages as read once they are seen: not by the request that loads them, which browsers make ahead of time, and not in
 * a page that is prepared in the background.
 */
function useMarkRead(newest: number | null, action: string): void {
  const { submit } = useFetcher()
  useEffect(() => {
    if (newest === null) return
    const seen = new AbortController()
    const mark = () => {
      if (document.visibilityState !== 'visible') return
      seen.abort()
      void submit({ intent: 'read', up_to: newest }, { method: 'post', action })
    }
    document.addEventListener('visibilitychange', mark, { signal: seen.signal })
    mark()
    return () => seen.abort()
  }, [newest, action, submit])
}
