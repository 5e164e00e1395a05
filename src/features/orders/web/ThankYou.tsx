import { Link } from 'react-router'
import { formatDate } from '#format-date'
import type { OwnOrder } from '../own-contract.ts'
import { arrivalOf, nextWords, stateWords } from './orderText.ts'

/** After a purchase: what happens next with each of its orders. */
export function ThankYou({ orders }: { orders: OwnOrder[] }) {
  if (orders.length === 0) return null
  return (
    <section className="thank-you" aria-labelledby="thank-you">
      <h2 id="thank-you">Thank you. What happens next</h2>
      <p>{`${orders.length === 1 ? 'The maker has' : 'Each maker has'} been told. You get a letter with every step.`}</p>
      <ul>
        {orders.map(order => (
          <li key={order.id}>
            <Next order={order} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Next({ order }: { order: OwnOrder }) {
  const { id, maker, state, ready_by, pickup, address, payment_words } = order
  const arrival = arrivalOf(order, ready_by)
  return (
    <>
      <h3 dir="auto">{maker?.name ?? 'A maker'}</h3>
      <ol>
        {state === 'open' ? (
          <li>{`${ready_by ? `Gets it ready by ${formatDate(ready_by)}` : 'Gets it ready'}.`}</li>
        ) : (
          <li>{`${nextWords(order) || stateWords[state]}.`}</li>
        )}
        {pickup && (
          <li dir="auto">{`You collect it: ${pickup.place}${pickup.hours && `, ${pickup.hours}`}.`}</li>
        )}
        {address && <li>{`Sends it to you. ${arrival && `${arrival}.`}`}</li>}
        {!pickup && !address && <li>Agrees with you how it arrives.</li>}
        <li>{payment_words ? 'You pay as they say.' : 'You pay them; the shop itself takes no payments.'}</li>
      </ol>
      <p>
        <Link className="alone" to={`/orders/${id}`}>
          {payment_words ? 'How to pay, and the whole order' : 'The whole order, and a message to the maker'}
        </Link>
      </p>
    </>
  )
}
