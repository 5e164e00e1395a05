import { MakerLink } from '#accounts/web/MakerLink.tsx'
import { formatMoment } from '#format-date'
import { Empty } from '#ui/Empty.tsx'
import { GROUNDS, noticeTitle } from '../notices-contract.ts'
import type { OpenObjection, Report } from '../operate-contract.ts'
import { ListingContent, ListingItem } from './OperateListing.tsx'
import { LOGGED, READ_BY_PERSON, ReplyItem, ReviewItem, SuspendForm } from './OperateRows.tsx'
import type { OperateResult } from './operate.route.ts'
import { ReasonForm } from './ReasonForm.tsx'

interface Props {
  reports: Report[]
  objections: OpenObjection[]
  result: OperateResult | undefined
}

/** Reports and objections that wait for an answer, oldest first. */
export function ReportQueue({ reports, objections, result }: Props) {
  return (
    <>
      <section aria-labelledby="objections">
        <h2 id="objections">Objections</h2>
        {objections.length === 0 ? (
          <p>Nobody objects to a decision.</p>
        ) : (
          <ul className="rows">
            {objections.map(objection => (
              <li key={objection.decision.id}>
                <ObjectionItem objection={objection} result={result} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="reports">
        <h2 id="reports">Reports</h2>
        {reports.length === 0 ? (
          <Empty drawing="wool" text="No report waits for an answer" />
        ) : (
          <ul className="rows">
            {reports.map(report => (
              <li key={report.id}>
                <ReportItem report={report} result={result} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

function ReportItem({ report, result }: { report: Report; result: OperateResult | undefined }) {
  const { id, about, grounds, words, created_at, reporter, email, listing, review, person } = report
  const isDeleted = about === 'listing' && !listing
  const from = reporter ?? email ?? 'somebody without an account'
  return (
    <>
      <p className="when">{`Report ${id}, ${formatMoment(created_at)}, from ${from}, about a ${about}`}</p>
      <p className="grounds">{GROUNDS[grounds]}</p>
      <p className="quoted" dir="auto">
        {words}
      </p>
      {review && about === 'review' && <ReviewItem review={review} result={result} />}
      {review && about === 'reply' && <ReplyItem review={review} withReview result={result} />}
      {!review && (about === 'review' || about === 'reply') && <p>The review is deleted.</p>}
      {about === 'listing' && listing && <ListingItem listing={listing} result={result} />}
      {isDeleted && <p>The listing is deleted.</p>}
      {(about === 'shop' || isDeleted) && person && <ReportedPerson person={person} result={result} />}
      <ReasonForm
        intent="dismiss"
        id={id}
        label="No measure is needed"
        about={`report ${id}`}
        hint={LOGGED}
        result={result}
      />
    </>
  )
}

/** The maker whom a report is about, with the form to suspend them. */
function ReportedPerson({
  person: { id, username, suspended },
  result,
}: {
  person: NonNullable<Report['person']>
  result: OperateResult | undefined
}) {
  if (suspended) return <p>{`${username} is suspended.`}</p>
  return (
    <>
      <p>
        <MakerLink username={username} />
      </p>
      <SuspendForm id={id} username={username} result={result} />
    </>
  )
}

function ObjectionItem({
  objection,
  result,
}: {
  objection: OpenObjection
  result: OperateResult | undefined
}) {
  const { decision, listing, person, mine } = objection
  const title = noticeTitle(decision)
  return (
    <>
      <h2 dir="auto">{`${person}: ${title}`}</h2>
      {listing && <ListingContent listing={listing} />}
      {(decision.review ?? decision.reply) && (
        <p className="quoted" dir="auto">
          {decision.review ?? decision.reply}
        </p>
      )}
      <p className="when">{`Decided ${formatMoment(decision.created_at)}${mine ? ', by you' : ''}`}</p>
      <p className="quoted" dir="auto">
        {decision.reason}
      </p>
      {decision.rule && <p dir="auto">{`Rule: ${decision.rule}`}</p>}
      <p className="when">{`Objection ${formatMoment(decision.objection?.created_at ?? decision.created_at)}`}</p>
      <p className="quoted" dir="auto">
        {decision.objection?.words}
      </p>
      {mine && <p>Another operator answers, if there is one.</p>}
      <ReasonForm
        intent="uphold"
        id={decision.id}
        label="Take the decision back"
        about={title}
        hint={READ_BY_PERSON}
        result={result}
      />
      <ReasonForm
        intent="refuse"
        id={decision.id}
        label="Let it stand"
        about={title}
        hint={READ_BY_PERSON}
        result={result}
      />
    </>
  )
}
