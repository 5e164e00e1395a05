import { useState } from 'react'
import { Form, useLocation, useNavigation } from 'react-router'
import { dollars, twoDecimals } from '#money'
import { DialogOrPage } from '#ui/Dialog.tsx'
import { Problems } from '#ui/fields.tsx'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { LinkButton } from '#ui/LinkButton.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import type { CartLine } from '../contract.ts'
import { PriceBefore } from './CartItem.tsx'
import { type CartResult, CHECKOUT } from './cart.route.ts'
import { useChange } from './optimisticCart.ts'
import { Shortage } from './Shortage.tsx'

/**
 * Confirms an order. Its forms have an address of their own: without scripts it is a page. It sends the lines and
 * total that it shows, so that nothing else is ordered. One idempotency key while it is open: a double click or a
 * retry is one order.
 */
export function CheckoutDialog({
  total,
  lines,
  changing,
  result,
}: {
  total: number
  lines: CartLine[]
  /** Disabled while changes are under way: the server must have them before the order. */
  changing: boolean
  result: CartResult | undefined
}) {
  const { state } = useLocation()
  const busy = useNavigation().state !== 'idle' || changing
  const [opened] = useState(newIdempotencyKey)
  return (
    <DialogOrPage title="Review Your Order" back="/cart">
      <Problems messages={result?.problems} />
      <p>are you sure you want to order these items?</p>
      <ul className="checkout-lines">
        {lines.map(line => (
          <CheckoutLine key={line.id} line={line} />
        ))}
      </ul>
      <p className="total" role="status">{`Total Price: ${dollars(total)}`}</p>
      <div className="actions">
        <Form method="post" action={CHECKOUT} state={state} preventScrollReset>
          <input type="hidden" name="intent" value="checkout" />
          <input type="hidden" name="key" value={result?.key ?? opened} suppressHydrationWarning />
          <input type="hidden" name="total" value={twoDecimals(total)} />
          <input type="hidden" name="items" value={itemsOf(lines)} />
          <SubmitButton busy={busy}>Yes (place order)</SubmitButton>
        </Form>
        <LinkButton to="/cart" replace>
          No
        </LinkButton>
      </div>
    </DialogOrPage>
  )
}

function CheckoutLine({ line }: { line: CartLine }) {
  const { data } = useChange(line.id)
  return (
    <li>
      <span>
        {line.product ? `${line.quantity} × ${line.product.name}` : 'Product details not available'}
      </span>
      <PriceBefore product={line.product} />
      <Shortage line={line} action={CHECKOUT} />
      <Problems messages={data?.problems} />
    </li>
  )
}

/** Lines as the API takes them: '7x2 12x1'. */
const itemsOf = (lines: CartLine[]): string =>
  lines.flatMap(({ product, quantity }) => (product ? [`${product.id}x${quantity}`] : [])).join(' ')
