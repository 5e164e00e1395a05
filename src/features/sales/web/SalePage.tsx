import { Link, useActionData, useLoaderData } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { AddressLines } from '#addresses/web/AddressLines.tsx'
import { formatDate, formatMoment } from '#format-date'
import { Conversation } from '#messages/web/Conversation.tsx'
import { Lines, Part } from '#orders/web/OrderParts.tsx'
import { piecesWords } from '#orders/web/orderText.ts'
import { FormResult } from '#ui/FormResult.tsx'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import type { Sale } from '../contract.ts'
import { useOrderChanged } from './SaleForm.tsx'
import { SaleParcels } from './SaleParcels.tsx'
import { SalePayments } from './SalePayments.tsx'
import { SaleState } from './SaleState.tsx'
import { Cancel, Carriers, Work } from './SaleWork.tsx'
import { DONE, type loader, type SaleResult } from './sale.route.ts'
import { shopperWords, todoWords } from './saleText.ts'
import '#orders/web/ownOrder.css'
import './sales.css'

/** Everything about one order, for its maker. */
export function Page() {
  const { orderId, sale, conversation } = useLoaderData<typeof loader>()
  return (
    <article className="own-order sale-page">
      <p>
        <Link className="alone" to="/sold">
          Sold
        </Link>
      </p>
      <h1>{`Order #${orderId}`}</h1>
      <Result />
      {sale ? <Order key={sale.id} sale={sale} /> : <Unsaved />}
      <Conversation conversation={conversation} other="your shopper" author="Your shopper" />
    </article>
  )
}

function Result() {
  const flash = useFlash<SaleResult>(DONE)
  const result = useActionData<SaleResult>() ?? flash
  const isAbove = useOrderChanged() || !result?.intent
  return <FormResult result={result} problems={isAbove ? result?.problems : undefined} />
}

/** The session has ended, or the shop could not be reached: what was typed, to be copied. */
function Unsaved() {
  const result = useActionData<SaleResult>()
  const hidden = ['key', 'intent', 'about', 'revision']
  const typed = Object.entries(result?.typed ?? {}).filter(([name, value]) => value && !hidden.includes(name))
  return (
    <>
      <Problems messages={result?.problems} />
      {result?.loginNeeded && <LoginNeeded />}
      {typed.length > 0 && (
        <p>
          {result?.loginNeeded
            ? 'Nothing was saved. This is what you typed:'
            : 'See whether it was saved before you try again. This is what you typed:'}
        </p>
      )}
      {typed.map(([name, value]) => (
        <blockquote key={name} className="words" dir="auto">
          {value}
        </blockquote>
      ))}
    </>
  )
}

function Order({ sale }: { sale: Sale }) {
  const { id, created_at, shopper, lines, parcels, state, pickup, address, note, payment } = sale
  const isOpen = lines.some(line => line.open > 0)
  // A form begins anew when what it is about has changed; what is typed in others stays.
  const left = JSON.stringify([lines.map(line => line.open), sale.ready_at])
  const paid = JSON.stringify([payment.open, payment.entries.map(({ id }) => id)])
  return (
    <>
      <p className="order-day">
        {'Ordered on '}
        <time dateTime={created_at}>{formatDate(created_at)}</time>
        {' by '}
        <bdi>{shopperWords(shopper)}</bdi>
      </p>
      <SaleState state={state} todo={todoWords({ ...sale, isPickup: pickup !== null })} late={sale.late} />
      <Carriers />
      <Lines order={sale} />
      {sale.lines.some(({ open, sent }) => open + sent > 0) && (
        <p>
          <Link className="alone" to={`/sold/${id}/slip`}>
            Packing slip
          </Link>
        </p>
      )}
      <Part title={pickup ? 'Pick-up place' : 'Where it goes'}>
        {pickup && (
          <p className="words" dir="auto">
            {[pickup.place, pickup.hours].filter(Boolean).join('\n')}
          </p>
        )}
        {address && <AddressLines address={address} />}
        {!pickup && !address && (
          <p>
            {shopper === ''
              ? 'The shopper has deleted their account, and with it the address.'
              : 'As you and the shopper have agreed.'}
          </p>
        )}
        {note && (
          <>
            <h3>Note of the shopper</h3>
            <p className="words" dir="auto">
              {note}
            </p>
          </>
        )}
      </Part>
      {isOpen && (
        <Part title={pickup ? 'Hand over' : 'Send'}>
          <Work key={`work ${left}`} sale={sale} />
          <Cancel key={`cancel ${left}`} lines={lines} />
        </Part>
      )}
      {parcels.length > 0 && (
        <Part title={parcels.some(({ kind }) => kind === 'sent') ? 'Parcels' : 'Collected'}>
          <SaleParcels parcels={parcels} />
        </Part>
      )}
      <Part title="Payment">
        <SalePayments key={paid} payment={payment} day={sale.day} />
      </Part>
      <Part title="History">
        <History sale={sale} />
      </Part>
    </>
  )
}

const whose = { shopper: 'The shopper cancelled', maker: 'You cancelled', shop: 'The shop cancelled' }

/** What happened to the order, oldest first. */
function History({ sale: { created_at, ready_at, parcels, cancellations } }: { sale: Sale }) {
  const happened = [
    { at: created_at, what: 'Ordered' },
    ...(ready_at ? [{ at: ready_at, what: 'Ready to collect' }] : []),
    ...parcels.flatMap(({ kind, sent_at, received_at, lines }) => [
      { at: sent_at, what: `${kind === 'sent' ? 'Sent' : 'Collected'}: ${piecesWords(lines)}` },
      ...(kind === 'sent' && received_at
        ? [{ at: received_at, what: `Received: ${piecesWords(lines)}` }]
        : []),
    ]),
    ...cancellations.map(({ at, role, reason, lines }) => ({
      at,
      what: `${whose[role]} ${piecesWords(lines)}${reason && `: ${reason}`}`,
    })),
  ].sort((a, b) => a.at.localeCompare(b.at))
  return (
    <ol className="history">
      {happened.map(({ at, what }) => (
        <li key={at + what}>
          <time dateTime={at}>{formatMoment(at)}</time>
          <span dir="auto">{what}</span>
        </li>
      ))}
    </ol>
  )
}
