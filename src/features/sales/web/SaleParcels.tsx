import { formatDate } from '#format-date'
import { piecesWords } from '#orders/web/orderText.ts'
import { Tracking } from '#orders/web/Parcels.tsx'
import type { Sale } from '../contract.ts'
import { SaleForm, Undo, useIsRefused } from './SaleForm.tsx'
import { ParcelFields } from './SaleWork.tsx'

/** What was sent or handed over. */
export const SaleParcels = ({ parcels }: Pick<Sale, 'parcels'>) => (
  <ol className="parcels">
    {parcels.map((parcel, index) => (
      <SaleParcel
        // Its form begins anew when its number was saved; what is typed for other parcels stays.
        key={JSON.stringify([parcel.id, parcel.carrier, parcel.tracking])}
        parcel={parcel}
        number={index + 1}
      />
    ))}
  </ol>
)

function SaleParcel({ parcel, number }: { parcel: Sale['parcels'][number]; number: number }) {
  const { id, kind, sent_at, received_at, undo_until, lines } = parcel
  const isRefused = useIsRefused('tracked', id)
  return (
    <li>
      <h3>{`${kind === 'sent' ? `Parcel ${number}, sent` : 'Collected'} on ${formatDate(sent_at)}`}</h3>
      <p dir="auto">{piecesWords(lines)}</p>
      <Tracking parcel={parcel} />
      {kind === 'sent' && (
        <p className={received_at ? 'success' : 'hint'}>
          {received_at ? `Received on ${formatDate(received_at)}` : 'Not received yet'}
        </p>
      )}
      {kind === 'sent' && (
        <details open={isRefused}>
          <summary className="link">
            {parcel.tracking ? 'Change the tracking number' : 'Add a tracking number'}
          </summary>
          <SaleForm intent="tracked" about={id} submit="Save" className="button quiet">
            {({ errors, typed }) => {
              const known = { carrier: parcel.carrier ?? '', tracking: parcel.tracking ?? '' }
              return <ParcelFields errors={errors} typed={{ ...known, ...typed }} isNumberRequired />
            }}
          </SaleForm>
        </details>
      )}
      {undo_until && (
        <Undo
          about={id}
          until={undo_until}
          what={kind === 'sent' ? `parcel ${number}` : 'this collection'}
          sendsLetter={kind === 'sent'}
        />
      )}
    </li>
  )
}
