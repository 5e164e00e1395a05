import { formatMoment } from '#format-date'
import { ACTIONS, type LogEntry } from '#operators/contract.ts'
import { List, Search } from './OperateSearch.tsx'

/** What was done, newest first. */
export const LogList = ({ entries }: { entries: LogEntry[] }) => (
  <>
    <Search part="log" label="Username or number" />
    <List rows={entries}>
      {({
        id,
        action,
        operator,
        operator_username,
        by_command,
        person,
        listing,
        review_id,
        order_id,
        about,
        reason,
        rule,
        created_at,
      }) => (
        <>
          <p dir="auto">{`${by_command ? 'A command' : (operator ?? 'A deleted account')}${operator_username === null ? '' : ` (${operator_username})`} ${ACTIONS[action]}`}</p>
          <p className="when">
            {[
              `Entry ${id}, ${formatMoment(created_at)}`,
              listing && `listing ${listing.id}, ${listing.name}`,
              review_id !== null && `review ${review_id}`,
              order_id !== null && `order ${order_id}`,
              person && `concerns ${person}`,
              about !== null && `about entry ${about}`,
            ]
              .filter(Boolean)
              .join(', ')}
          </p>
          {reason && (
            <p className="quoted" dir="auto">
              {reason}
            </p>
          )}
          {rule && <p dir="auto">{`Rule: ${rule}`}</p>}
        </>
      )}
    </List>
  </>
)
