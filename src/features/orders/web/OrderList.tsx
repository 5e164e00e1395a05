import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { formatDate } from '#format-date'
import { dollars, times } from '#money'
import { answersText } from '#products/answer-rules.ts'
import { AnswerList } from '#products/web/AnswerList.tsx'
import { asDialog } from '#ui/DialogOrPage.tsx'
import { Empty } from '#ui/Empty.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { Paging } from '#ui/Paging.tsx'
import { pageCursorIn } from '#ui/page-cursor.ts'
import type { Order } from '../contract.ts'
import { LinePicture } from './LinePicture.tsx'
import type { OrderPage } from './orders.route.ts'
import './orders.css'

/** A page of pending orders. */
export function OrderList({ orders, next, children }: OrderPage & { children?: ReactNode }) {
  return (
    <section className="orders">
      <h1>Your Orders</h1>
      {children}
      {orders.length === 0 ? (
        <Empty drawing="parcel" text="No orders">
          <Link className="button quiet" to="/">
            Look around
          </Link>
        </Empty>
      ) : (
        <ul>
          {orders.map(order => (
            <OrderCard key={order.id} order={order} />
          ))}
        </ul>
      )}
      <Paging next={next} />
      <p>
        <Link className="alone" to="/orders">
          All your orders, also those sent or cancelled
        </Link>
      </p>
    </section>
  )
}

function OrderCard({ order }: { order: Order }) {
  const { id, total, postage, created_at, maker, products_ordered } = order
  const { search } = useLocation()
  return (
    <li className="order">
      <p className="order-day">
        Ordered on <time dateTime={created_at}>{formatDate(created_at)}</time>
        {maker && (
          <>
            {' from '}
            <bdi>{maker}</bdi>
          </>
        )}
      </p>
      <ul>
        {products_ordered.map(({ id: productId, name, price, quantity, answers = [], image_url }) => (
          <li key={`${productId} ${answersText(answers)}`} className="order-line">
            <LinePicture url={image_url} />
            <span>{`Order #${id}`}</span>
            <Link to={`/products/${productId}`}>{name}</Link>
            <span>{dollars(price)}</span>
            <span>{`Quantity: ${quantity}`}</span>
            {quantity > 1 && (
              <span className="line-sum">{`Together ${dollars(times(price, quantity))}`}</span>
            )}
            {answers.length > 0 && <AnswerList answers={answers} />}
          </li>
        ))}
      </ul>
      {postage !== undefined && <p className="postage">{`Postage ${dollars(postage)}`}</p>}
      <p className="total">{`Total ${dollars(total)}`}</p>
      <p className="status">Product Not Shipped Yet</p>
      <p>
        <Link className="alone" to={`/orders/${id}`}>{`See order #${id}`}</Link>
      </p>
      <LinkButton
        to={`/orders/${id}/delete-order${pageCursorIn(search)}`}
        state={asDialog}
        aria-label={`Cancel Order #${id}`}
      >
        Cancel Order
      </LinkButton>
    </li>
  )
}
