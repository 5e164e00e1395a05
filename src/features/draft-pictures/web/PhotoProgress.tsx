import { askOverFetch } from '#ui/api-client.ts'
import { usePolling } from '#ui/use-polling.ts'
import type { PhotoProgress as Progress } from '../contract.ts'

const ask = () => askOverFetch('GET /api/import/photos')
const onTheirWay = ({ total, waiting }: Progress): string => {
  if (waiting === 1) return total === 1 ? 'It is on its way.' : 'The other one is on its way.'
  return waiting === total ? 'They are on their way.' : 'The others are on their way.'
}
const isFinal = ({ waiting }: Progress) => waiting === 0

/** '37 of 120 photos are here, 2 failed.' Follows what is still to come while the page is visible. */
export function PhotoProgress({ progress }: { progress: Progress }) {
  const latest = usePolling(progress, ask, isFinal)
  const { total, here, waiting, failed, failures, fetches } = latest
  return (
    <>
      <p role="status">
        {total === 0
          ? 'No photos are waited for.'
          : `${here} of ${total === 1 ? '1 photo is' : `${total} photos are`} here${failed > 0 ? `, ${failed} failed` : ''}.`}
        {waiting > 0 &&
          (fetches ? ` ${onTheirWay(latest)}` : ' This shop does not fetch photos: send them as a zip.')}
      </p>
      {total > 0 && <progress aria-label="Photos that are here" value={here} max={total} />}
      {failures.length > 0 && (
        <ul className="points">
          {failures.map(({ id, title, position, reason }) => (
            <li key={id}>
              <span dir="auto">{title || 'A draft without a name'}</span>
              {`, photo ${position}: ${reason}`}
            </li>
          ))}
        </ul>
      )}
      {failed > failures.length && <p>{`And ${failed - failures.length} more.`}</p>}
    </>
  )
}
