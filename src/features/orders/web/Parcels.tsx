import { Form, useNavigation } from 'react-router'
import { formatDate } from '#format-date'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import type { OrderDetail, Parcel } from '../detail-contract.ts'
import { arrivalOf, piecesWords } from './orderText.ts'

/** Carrier and number of a parcel, with a link to the carrier's page if it is known. Nothing if neither is known. */
export function Tracking({ parcel: { carrier, tracking, tracking_url } }: { parcel: Parcel }) {
  if (carrier === null && tracking === null) return null
  const name = [carrier, tracking].filter(Boolean).join(' ')
  return (
    <p className="tracking">
      {tracking_url ? (
        <a className="alone" href={tracking_url} rel="noreferrer">{`Track it: ${name}`}</a>
      ) : (
        name
      )}
    </p>
  )
}

/** The parcels of an order; its shopper says which ones were received. */
export function Parcels({ order }: { order: OrderDetail }) {
  const { parcels } = order
  return (
    <ol className="parcels">
      {parcels.map((parcel, index) => (
        <li key={parcel.id}>
          <h3>{titleOf(parcel, index + 1, parcels.length)}</h3>
          <p>{piecesWords(parcel.lines)}</p>
          <Tracking parcel={parcel} />
          <Received order={order} parcel={parcel} />
        </li>
      ))}
    </ol>
  )
}

function titleOf({ kind, sent_at }: Parcel, number: number, of: number): string {
  const what = kind === 'collected' ? 'Collected' : of > 1 ? `Parcel ${number}, sent` : 'Sent'
  return `${what} on ${formatDate(sent_at)}`
}

function Received({
  order,
  parcel: { id, kind, sent_at, received_at },
}: {
  order: OrderDetail
  parcel: Parcel
}) {
  const action = `/orders/${order.id}`
  const { formAction, formData } = useNavigation()
  if (kind === 'collected') return null
  if (received_at !== null) return <p className="success">{`Received on ${formatDate(received_at)}`}</p>
  const arrival = arrivalOf(order, sent_at)
  return (
    <>
      {arrival && <p className="hint">{arrival}</p>}
      <Form method="post" action={action} preventScrollReset>
        <input type="hidden" name="intent" value="received" />
        <SubmitButton
          className="button quiet"
          busy={formAction === action && formData?.get('parcel') === String(id)}
          name="parcel"
          value={id}
        >
          I have received it
        </SubmitButton>
      </Form>
    </>
  )
}
