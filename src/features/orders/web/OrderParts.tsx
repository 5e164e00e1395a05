import type { ReactNode } from 'react'
import { AddressLines } from '#addresses/web/AddressLines.tsx'
import { formatDate, formatMoment } from '#format-date'
import { dollars, times } from '#money'
import { AnswerList } from '#products/web/AnswerList.tsx'
import type { DetailLine, OrderDetail, Parcel } from '../detail-contract.ts'
import { LineName } from './LineName.tsx'
import { LinePicture } from './LinePicture.tsx'
import { arrivalOf, piecesWords } from './orderText.ts'

/** A part of the page of an order. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2>{title}</h2>
    {children}
  </section>
)

type Counted = Pick<OrderDetail, 'lines' | 'postage' | 'postage_name' | 'total' | 'parcels' | 'payment'>

/** The pieces of an order, how many of each are on their way, postage, total, and what is left of it after a cancellation. */
export function Lines({
  order: { lines, postage, postage_name, total, parcels, payment },
}: {
  order: Counted
}) {
  return (
    <>
      <ul className="lines">
        {lines.map(line => (
          <li key={`${line.id}.${line.line}`}>
            <LinePicture url={line.image_url} />
            <div>
              {`${line.quantity} × `}
              <LineName line={line} />
              <AnswerList answers={line.answers} />
              {line.quantity > 1 && <p className="hint">{`${dollars(line.price)} each`}</p>}
              {line.open < line.quantity && <p className="hint">{countsOf(line, parcels)}</p>}
            </div>
            <span>{dollars(times(line.price, line.quantity))}</span>
          </li>
        ))}
        {(postage > 0 || postage_name) && (
          <li>
            <span className="postage-name">{`Postage${postage_name && `: ${postage_name}`}`}</span>
            <span>{dollars(postage)}</span>
          </li>
        )}
      </ul>
      <p className="total">{`Total ${dollars(total)}`}</p>
      {payment.due < total && (
        <p className="due">{`Cancelled ${dollars(total - payment.due)}, due ${dollars(payment.due)}`}</p>
      )}
    </>
  )
}

/** '1 sent, 2 still to come'. */
function countsOf({ id, line, open, sent, cancelled }: DetailLine, parcels: Parcel[]): string {
  const collected = parcels
    .flatMap(({ kind, lines }) => (kind === 'collected' ? lines : []))
    .filter(piece => piece.id === id && piece.line === line)
    .reduce((sum, { quantity }) => sum + quantity, 0)
  const counts = { sent: sent - collected, collected, 'still to come': open, cancelled }
  return Object.entries(counts)
    .flatMap(([name, count]) => (count > 0 ? `${count} ${name}` : []))
    .join(', ')
}

/** Where an order goes, and when; at a pick-up with the code to say. */
export function Delivery({ order }: { order: OrderDetail }) {
  const { address, pickup, note, ready_by, late, state, parcels } = order
  const isUnderway = state === 'open' || state === 'part-sent'
  const arrival = pickup ? '' : arrivalOf(order, ready_by)
  return (
    <>
      {late && ready_by && (
        <p>{`It was promised for ${formatDate(ready_by)}, and is late.${order.maker ? ' You can ask the maker below.' : ''}`}</p>
      )}
      {isUnderway && ready_by && !late && (
        <p>
          {[`The maker wants to have everything ready by ${formatDate(ready_by)}`, arrival]
            .filter(Boolean)
            .join('. ')}
          .
        </p>
      )}
      {pickup && <Pickup pickup={pickup} state={state} parcels={parcels} />}
      {address && (
        <>
          <h3>Sent to</h3>
          <AddressLines address={address} />
        </>
      )}
      {!pickup && !address && <p>As you and the maker have agreed.</p>}
      {note && (
        <>
          <h3>Your note for the maker</h3>
          <p className="words" dir="auto">
            {note}
          </p>
        </>
      )}
    </>
  )
}

interface PickupProps extends Pick<OrderDetail, 'state' | 'parcels'> {
  pickup: NonNullable<OrderDetail['pickup']>
}

/** The place, and the code until it is collected. A maker may have sent it instead. */
function Pickup({ pickup: { place, hours, code }, state, parcels }: PickupProps) {
  const isOver = state === 'sent' || state === 'received' || state === 'collected' || state === 'cancelled'
  const isCollected = parcels.some(({ kind }) => kind === 'collected')
  if (isOver && state !== 'cancelled' && !isCollected) return <p>The maker has sent it to you instead.</p>
  return (
    <>
      <h3>{isCollected ? 'Collected here' : isOver ? 'Pick-up place' : 'Collect it here'}</h3>
      <p className="words" dir="auto">
        {place}
        {hours && `\n${hours}`}
      </p>
      {code !== undefined && !isOver && (
        <>
          <p>
            {state === 'ready'
              ? 'It is ready. Say this code there:'
              : 'Once it is ready, say this code there:'}
          </p>
          <p className="code">{code}</p>
        </>
      )}
    </>
  )
}

const whose: Record<OrderDetail['cancellations'][number]['role'], string> = {
  shopper: 'You cancelled',
  maker: 'The maker cancelled',
  shop: 'The shop cancelled',
}

/** What was cancelled, by whom and why. */
export const Cancellations = ({ cancellations }: Pick<OrderDetail, 'cancellations'>) => (
  <ul className="cancellations">
    {cancellations.map(({ at, role, reason, lines }) => (
      <li key={at}>
        <p>
          {`${whose[role]} ${piecesWords(lines)} on `}
          <time dateTime={at}>{formatMoment(at)}</time>
        </p>
        {reason && (
          <blockquote className="words" dir="auto">
            {reason}
          </blockquote>
        )}
      </li>
    ))}
  </ul>
)
