import { formatDate } from '#format-date'
import type { Away } from '../contract.ts'
import './postage.css'

/** Says that a seller is on holiday, until when, and what they say of it. */
export const AwayNotice = ({ name, away: { until, note } }: { name: string; away: Away }) => (
  <div className="away">
    <p>
      <strong>
        <span dir="auto">{name}</span>
        {' is away until '}
        <time dateTime={until}>{formatDate(until)}</time>
      </strong>
      {', and takes orders again after that day.'}
    </p>
    {note && (
      <p className="away-note" dir="auto">
        {note}
      </p>
    )}
  </div>
)
