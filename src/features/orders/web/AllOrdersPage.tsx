import { Link, useLoaderData } from 'react-router'
import { formatDate } from '#format-date'
import { dollars, times } from '#money'
import { AnswerList } from '#products/web/AnswerList.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Paging } from '#ui/Paging.tsx'
import type { ListedOrder } from '../own-contract.ts'
import type { loader } from './allOrders.route.ts'
import { BuyAgain } from './BuyAgain.tsx'
import { LineName } from './LineName.tsx'
import { LinePicture } from './LinePicture.tsx'
import { State } from './OrderState.tsx'
import { totalWords } from './orderText.ts'
import { Tracking } from './Parcels.tsx'
import './ownOrder.css'

/** The user's orders in every state, newest purchase first. */
export function Page() {
  const { orders, next_cursor } = useLoaderData<typeof loader>()
  return (
    <section className="own-orders">
      <h1>All your orders</h1>
      {orders.length === 0 ? (
        <Empty drawing="parcel" text="You have not ordered anything yet">
          <Link className="button quiet" to="/">
            Look around
          </Link>
        </Empty>
      ) : (
        purchasesOf(orders).map(parts => <Purchase key={parts[0]?.id} parts={parts} />)
      )}
      <Paging next={next_cursor} />
    </section>
  )
}

/** Orders of one purchase come after each other. Not Map.groupBy, which browsers of 2023 lack. */
function purchasesOf(orders: ListedOrder[]): ListedOrder[][] {
  const purchases: ListedOrder[][] = []
  for (const order of orders) {
    const last = purchases.at(-1)
    if (last?.[0]?.purchase_id === order.purchase_id) last.push(order)
    else purchases.push([order])
  }
  return purchases
}

/** The orders of one checkout: one for each maker. */
function Purchase({ parts }: { parts: ListedOrder[] }) {
  const [first] = parts
  if (!first) return null
  return (
    <section className="purchase">
      <h2>
        {'Ordered on '}
        <time dateTime={first.created_at}>{formatDate(first.created_at)}</time>
      </h2>
      {parts.length > 1 && <p className="hint">{'One order for each maker'}</p>}
      <ul>
        {parts.map(order => (
          <Card key={order.id} order={order} />
        ))}
      </ul>
    </section>
  )
}

function Card({ order }: { order: ListedOrder }) {
  const { id, maker, lines, parcels, total, payment, unread } = order
  return (
    <li className="order">
      <h3>
        <Link className="alone" to={`/orders/${id}`}>{`Order #${id}`}</Link>
        {maker && ` from ${maker.name}`}
      </h3>
      <State order={order} />
      {unread > 0 && (
        <p>
          <Link className="alone unread" to={`/orders/${id}#messages`}>
            {unread === 1 ? '1 new message' : `${unread} new messages`}
          </Link>
        </p>
      )}
      <ul className="own-order-pieces">
        {lines.map(line => (
          <li key={`${line.id}.${line.line}`}>
            <LinePicture url={line.image_url} />
            <div>
              {`${line.quantity} × `}
              <LineName line={line} />
              <AnswerList answers={line.answers} />
            </div>
            <span>{dollars(times(line.price, line.quantity))}</span>
          </li>
        ))}
      </ul>
      {parcels.map(parcel => (
        <Tracking key={parcel.id} parcel={parcel} />
      ))}
      <p className="total">{`Total ${totalWords(total, payment.due)}`}</p>
      <BuyAgain id={id} />
    </li>
  )
}
