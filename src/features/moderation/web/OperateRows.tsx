import { Link } from 'react-router'
import { MakerName } from '#accounts/web/MakerName.tsx'
import { formatDate } from '#format-date'
import type { PersonRow, ReviewRow } from '../rows-contract.ts'
import type { OperateResult } from './operate.route.ts'
import { ReasonForm } from './ReasonForm.tsx'

type Result = { result: OperateResult | undefined }

/** '1 open report'. */
export const reportsWords = (count: number) => (count === 1 ? '1 open report' : `${count} open reports`)

/** Instead of a username. */
const DELETED = 'a deleted account'
const READ_BY_PERSON = 'The person concerned reads it.'
const LOGGED = 'Operators read it in the log.'

/** The name of the piece, with a link if it has a page. */
const Reviewed = ({ review: { product_id, listing, is_listed } }: { review: ReviewRow }) =>
  is_listed ? <Link to={`/products/${product_id}#reviews`}>{listing}</Link> : listing

/** A review, and what an operator can do with it. */
export function ReviewItem({ review: row, result }: { review: ReviewRow } & Result) {
  const { id, listing, stars, review, created_at, hidden, open_reports } = row
  const author = row.author ?? DELETED
  const about = `review of ${listing} by ${author}`
  return (
    <>
      <h2 dir="auto">
        {`${stars} of 5 stars for `}
        <Reviewed review={row} />
      </h2>
      <p className="when">
        {`By ${author}, ${formatDate(created_at)}. Number ${id}.`}
        {hidden && ' Hidden.'}
        {open_reports > 0 && ` ${reportsWords(open_reports)}.`}
      </p>
      <p className="quoted" dir="auto">
        {review}
      </p>
      <ReasonForm
        intent={hidden ? 'show-review' : 'hide-review'}
        id={id}
        label={hidden ? 'Show again' : 'Hide'}
        about={about}
        hint={READ_BY_PERSON}
        withRule={!hidden}
        result={result}
      />
    </>
  )
}

interface ReplyProps extends Result {
  review: ReviewRow
  /** Whether the words of the review stand above. */
  withReview?: boolean
}

/** The reply to a review, and what an operator can do with it. */
export function ReplyItem({ review: row, withReview, result }: ReplyProps) {
  const { id, listing, review, reply } = row
  const author = row.author ?? DELETED
  if (!reply) return <p>The reply is deleted.</p>
  const { text, maker, is_suspended, hidden, open_reports } = reply
  const about = `reply of ${maker} to the review of ${listing} by ${author}`
  return (
    <>
      {withReview && (
        <>
          <h2 dir="auto">
            {'Reply to a review of '}
            <Reviewed review={row} />
          </h2>
          <p className="when">{`Review ${id} by ${author}:`}</p>
          <p className="quoted" dir="auto">
            {review}
          </p>
        </>
      )}
      <p className="when">
        {'Reply by '}
        <MakerName username={maker} suspended={is_suspended} />
        {`.${hidden ? ' Hidden.' : ''}${open_reports > 0 ? ` ${reportsWords(open_reports)}.` : ''}`}
      </p>
      <p className="quoted" dir="auto">
        {text}
      </p>
      <ReasonForm
        intent={hidden ? 'show-reply' : 'hide-reply'}
        id={id}
        label={hidden ? 'Show the reply again' : 'Hide the reply'}
        about={about}
        hint={READ_BY_PERSON}
        withRule={!hidden}
        result={result}
      />
    </>
  )
}

/** A user, with the forms of an operator. */
export function PersonItem({ person, result }: { person: PersonRow } & Result) {
  const { id, username, name, email, joined_at, suspended_at, listings, is_operator } = person
  const link = result?.intent === 'password-link' && result.id === id ? result.link : undefined
  return (
    <>
      <h2 dir="auto">{name}</h2>
      <p className="when">
        <MakerName username={username} suspended={suspended_at !== null} />
        {`, ${email}, since ${formatDate(joined_at)}. ${listings === 1 ? '1 listing' : `${listings} listings`} for sale.`}
        {suspended_at && ` Suspended since ${formatDate(suspended_at)}.`}
        {is_operator && ' Operator.'}
      </p>
      {link && (
        <p className="quoted">
          {'Give this link to them alone: '}
          <OnceLink path={link} />
        </p>
      )}
      {suspended_at ? (
        <ReasonForm
          intent="restore"
          id={id}
          label="End the suspension"
          about={username}
          hint={READ_BY_PERSON}
          result={result}
        />
      ) : (
        !is_operator && <SuspendForm id={id} username={username} result={result} />
      )}
      {!is_operator && (
        <ReasonForm
          intent="password-link"
          id={id}
          label="Link for a new password"
          about={username}
          hint={LOGGED}
          result={result}
        />
      )}
    </>
  )
}

/** A link that is shown once. Its address is that of this page. */
export const OnceLink = ({ path }: { path: string }) => (
  <a href={path} rel="noreferrer">
    {import.meta.env.SSR ? path : new URL(path, location.href).href}
  </a>
)

export { LOGGED, READ_BY_PERSON }

/** Suspends a maker. */
export const SuspendForm = ({ id, username, result }: { id: number; username: string } & Result) => (
  <ReasonForm
    intent="suspend"
    id={id}
    label="Suspend"
    about={username}
    hint={READ_BY_PERSON}
    withRule
    result={result}
  />
)
