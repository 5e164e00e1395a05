import { Link, useActionData, useLoaderData } from 'react-router'
import { MakerName } from '#accounts/web/MakerName.tsx'
import { formatDate } from '#format-date'
import { Conversation } from '#messages/web/Conversation.tsx'
import type { OwnOrder } from '#orders/own-contract.ts'
import { BuyAgain, NotAgain } from '#orders/web/BuyAgain.tsx'
import { Cancellations, Delivery, Lines, Part } from '#orders/web/OrderParts.tsx'
import { Progress } from '#orders/web/OrderState.tsx'
import { isPending } from '#orders/web/orderText.ts'
import { Parcels } from '#orders/web/Parcels.tsx'
import { Payment } from '#orders/web/Payment.tsx'
import { FormResult } from '#ui/FormResult.tsx'
import { useFlash } from '#ui/flash.ts'
import { LinkButton } from '#ui/LinkButton.tsx'
import { DONE, type loader, type OrderResult } from './order.route.ts'
import '#orders/web/ownOrder.css'

/** Everything about one order, for its shopper. */
export function Page() {
  const { orderId, order, conversation } = useLoaderData<typeof loader>()
  const maker = order?.maker?.name
  return (
    <article className="own-order">
      <p>
        <Link className="alone" to="/orders">
          All your orders
        </Link>
      </p>
      <h1>{`Order #${orderId}`}</h1>
      <Result />
      {order && <Order order={order} />}
      <Conversation conversation={conversation} other={maker ?? 'the maker'} author={maker ?? 'The maker'} />
    </article>
  )
}

function Result() {
  const flash = useFlash<OrderResult>(DONE)
  const result = useActionData<OrderResult>() ?? flash
  return (
    <FormResult result={result} problems={result?.problems}>
      {result?.again && (
        <>
          <NotAgain lines={result.again} />
          <p>
            <Link className="alone" to="/cart">
              See your cart
            </Link>
          </p>
        </>
      )}
    </FormResult>
  )
}

function Order({ order }: { order: OwnOrder }) {
  const { id, created_at, maker, parcels, cancellations, payment, payment_words, state } = order
  return (
    <>
      <p className="order-day">
        {'Ordered on '}
        <time dateTime={created_at}>{formatDate(created_at)}</time>
        {maker && (
          <>
            {' from '}
            <MakerName username={maker.username} suspended={maker.suspended}>
              {maker.name}
            </MakerName>
          </>
        )}
      </p>
      <Progress order={order} />
      <Lines order={order} />
      <div className="actions">
        <BuyAgain id={id} />
        {isPending(order) && (
          <LinkButton to={`/orders/${id}/delete-order`} aria-label={`Cancel Order #${id}`}>
            Cancel Order
          </LinkButton>
        )}
      </div>
      {state !== 'cancelled' && (
        <Part title="How it reaches you">
          <Delivery order={order} />
        </Part>
      )}
      {parcels.length > 0 && (
        <Part title={parcels.some(({ kind }) => kind === 'sent') ? 'Parcels' : 'Collected'}>
          <Parcels order={order} />
        </Part>
      )}
      {cancellations.length > 0 && (
        <Part title="Cancelled">
          <Cancellations cancellations={cancellations} />
        </Part>
      )}
      <Part title="Payment">
        <Payment payment={payment} words={payment_words} />
      </Part>
    </>
  )
}
