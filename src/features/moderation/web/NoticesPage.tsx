import { Form, Link, useActionData, useLoaderData, useLocation } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { formatDate } from '#format-date'
import { Empty } from '#ui/Empty.tsx'
import { Problems, TextAreaField, useRules } from '#ui/fields.tsx'
import { useFlash, withoutFlash } from '#ui/flash.ts'
import { Paging } from '#ui/Paging.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import { type Notice, noticeTitle, OBJECTION_LENGTH } from '../notices-contract.ts'
import { DONE, type loader, NOTICES, type NoticesResult, validateObjection } from './notices.route.ts'
import './operate.css'

/** What operators decided about the user, with a form to object. */
export function Page() {
  const { notices, next_cursor } = useLoaderData<typeof loader>()
  const isCut = new URLSearchParams(useLocation().search).has('from')
  const sent = useActionData<NoticesResult>()
  const flash = useFlash<NoticesResult>(DONE)
  const result = sent ?? flash
  const status = useFocusOnResult<HTMLParagraphElement>(result?.done && result)
  // The session has ended: the form alone is left.
  const isLost = result?.id !== undefined && !result.done && notices.length === 0
  const hasForm = isLost || notices.some(notice => notice.id === result?.id && isOpen(notice))
  return (
    <SettingsPage title="Notices">
      <p>
        What those who run the shop have decided about your shop, your pieces, your reviews or your replies,
        and why.
      </p>
      <p className="success" role="status" tabIndex={-1} ref={status}>
        {result?.done}
      </p>
      {!hasForm && <Problems messages={result?.problems} />}
      {(isLost || result?.loginNeeded) && <LoginNeeded />}
      {isCut && (
        <p>
          <Link className="alone" to={NOTICES}>
            See all notices
          </Link>
        </p>
      )}
      {isLost && <ObjectionForm id={result.id ?? 0} about="the decision" result={result} />}
      {notices.length === 0 && !isLost ? (
        <Empty drawing="wool" text="There are no decisions about you" />
      ) : (
        <ul className="rows">
          {notices.map(notice => (
            <li key={notice.id} id={`notice-${notice.id}`}>
              <Item notice={notice} result={result?.id === notice.id ? result : undefined} />
            </li>
          ))}
        </ul>
      )}
      <Paging next={next_cursor} />
    </SettingsPage>
  )
}

/** Address of the forms: that of this page of the list, so that a refused form is shown again. */
const useAction = () => NOTICES + withoutFlash(useLocation().search)

/** Whether it can be objected to: a measure that holds, once. */
const isOpen = ({ action, taken_back_at, objection }: Notice) =>
  (action.endsWith('-hidden') || action === 'person-suspended') && !taken_back_at && !objection

function Item({ notice, result }: { notice: Notice; result: NoticesResult | undefined }) {
  const { id, action, review, review_id, reply, reason, rule, created_at, taken_back_at, objection } = notice
  const title = noticeTitle(notice)
  return (
    <>
      <h2 dir="auto">{title}</h2>
      <p className="when">
        {`Decided ${formatDate(created_at)}${taken_back_at ? `, taken back ${formatDate(taken_back_at)}` : ''}`}
      </p>
      {(review ?? reply) && (
        <p className="quoted" dir="auto">
          {review ?? reply}
        </p>
      )}
      <p>The reason:</p>
      <p className="quoted" dir="auto">
        {reason}
      </p>
      {rule && <p dir="auto">{`The rule: ${rule}`}</p>}
      {objection && (
        <>
          <p>{`You objected ${formatDate(objection.created_at)}:`}</p>
          <p className="quoted" dir="auto">
            {objection.words}
          </p>
          {objection.answer ? (
            <>
              <p>
                {objection.answer.upheld
                  ? 'The decision was taken back:'
                  : 'Another look was taken, and the decision stands:'}
              </p>
              <p className="quoted" dir="auto">
                {objection.answer.reason}
              </p>
            </>
          ) : (
            <p>Somebody will answer you.</p>
          )}
        </>
      )}
      {action === 'review-hidden' && review_id && !taken_back_at && (
        <DeleteForm what="review" value={review_id} about={title} />
      )}
      {action === 'reply-hidden' && reply !== null && <DeleteForm what="reply" value={id} about={title} />}
      {isOpen(notice) && <ObjectionForm id={id} about={title} result={result} />}
    </>
  )
}

interface FormProps {
  id: number
  about: string
  result: NoticesResult | undefined
}

interface DeleteProps {
  what: 'review' | 'reply'
  /** Id of the review, or of the decision that hides the reply. */
  value: number
  about: string
}

function DeleteForm({ what, value, about }: DeleteProps) {
  const busy = useSending()
  const action = useAction()
  return (
    <details className="reason">
      <summary className="link" aria-label={`Delete the ${what}: ${about}`}>
        {`Delete the ${what}`}
      </summary>
      <Form method="post" action={action} preventScrollReset>
        <input type="hidden" name={what} value={value} />
        <p>It is gone for good, whatever becomes of the decision.</p>
        <SubmitButton className="button danger" busy={busy} aria-label={`Yes, delete it: ${about}`}>
          Yes, delete it
        </SubmitButton>
      </Form>
    </details>
  )
}

function ObjectionForm({ id, about, result }: FormProps) {
  const busy = useSending()
  const action = useAction()
  const { errors, form } = useRules(validateObjection, result?.fields)
  return (
    <details className="reason" open={result?.id === id}>
      <summary className="link" aria-label={`Object: ${about}`}>
        Object
      </summary>
      <Form method="post" action={action} preventScrollReset {...form}>
        <input type="hidden" name="id" value={id} />
        <Problems messages={result?.problems} />
        <TextAreaField
          label="Why it is wrong"
          name="words"
          rows={4}
          limit={OBJECTION_LENGTH}
          dir="auto"
          hint="Another operator answers, if there is one."
          error={errors.words}
          defaultValue={result?.typed}
        />
        <SubmitButton className="button quiet" busy={busy} aria-label={`Send the objection: ${about}`}>
          Send the objection
        </SubmitButton>
      </Form>
    </details>
  )
}
