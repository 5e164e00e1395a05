import { useState } from 'react'
import { Form, useLocation } from 'react-router'
import { AddressLines } from '#addresses/web/AddressLines.tsx'
import type { CartLine } from '#cart/contract.ts'
import { PriceBefore } from '#cart/web/CartItem.tsx'
import type { CartResult } from '#cart/web/cartForm.ts'
import { leftFor } from '#cart/web/lineStock.ts'
import { useChange } from '#cart/web/optimisticCart.ts'
import { Shortage } from '#cart/web/Shortage.tsx'
import { dollars, times, twoDecimals } from '#money'
import { AnswerList } from '#products/web/AnswerList.tsx'
import { DialogOrPage } from '#ui/DialogOrPage.tsx'
import { Problems } from '#ui/fields.tsx'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { LinkButton } from '#ui/LinkButton.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import type { Checkout } from '../contract.ts'
import { CHECKOUT } from './cart.route.ts'
import { chosenWay, readyWithin } from './deliveryText.ts'
import { isPlain, type SellerGroup, sumsOf } from './sellerGroups.ts'

/**
 * Confirms an order. Its forms have an address of their own: without scripts it is a page. It sends the lines, total and
 * delivery that it shows, so that nothing else is ordered. One idempotency key while it is open: a double click or a retry is
 * one order.
 */
export function CheckoutDialog({
  checkout: { address, delivery },
  blocks,
  others,
  changing,
  result,
}: {
  checkout: Checkout
  blocks: SellerGroup[]
  /** Lines whose listings are deleted. */
  others: CartLine[]
  /** Disabled while changes are under way: the server must have them before the order. */
  changing: boolean
  result: CartResult | undefined
}) {
  const { state } = useLocation()
  const busy = useSending() || changing
  const [opened] = useState(newIdempotencyKey)
  const { pieces, postage, total } = sumsOf(blocks)
  const isPosted = blocks.some(({ part }) => part.post && part.pickup_id === null)
  return (
    <DialogOrPage title="Review Your Order" back="/cart">
      <Problems messages={result?.problems} />
      <p>are you sure you want to order these items?</p>
      {blocks.map(block => (
        <Makers key={block.part.seller.id} block={block} plain={isPlain(blocks)} />
      ))}
      {others.length > 0 && <Lines lines={others} />}
      {isPosted && address && (
        <div className="checkout-address">
          <p>Parcels go to</p>
          <AddressLines address={address} />
        </div>
      )}
      {postage > 0 && <p className="checkout-sum">{`Pieces: ${dollars(pieces)}`}</p>}
      {postage > 0 && <p className="checkout-sum">{`Postage: ${dollars(postage)}`}</p>}
      <p className="total" role="status">{`Total Price: ${dollars(total)}`}</p>
      <div className="actions">
        <Form method="post" action={CHECKOUT} state={state} preventScrollReset>
          <input type="hidden" name="intent" value="checkout" />
          <input type="hidden" name="key" value={result?.key ?? opened} suppressHydrationWarning />
          <input type="hidden" name="total" value={twoDecimals(total)} />
          <input type="hidden" name="items" value={itemsOf(blocks.flatMap(({ lines }) => lines))} />
          <input type="hidden" name="delivery" value={delivery} />
          <SubmitButton busy={busy}>Yes (place order)</SubmitButton>
        </Form>
        <LinkButton to="/cart" replace>
          No
        </LinkButton>
      </div>
    </DialogOrPage>
  )
}

/** What comes from a maker, and how. */
function Makers({ block: { part, lines }, plain }: { block: SellerGroup; plain: boolean }) {
  const way = chosenWay(part)
  return (
    <>
      {!plain && <h3 className="checkout-maker">{`From ${part.seller.name}`}</h3>}
      <Lines lines={lines} />
      {way && <p className="checkout-way">{way}</p>}
      {!plain && <p className="checkout-way">{readyWithin(part)}</p>}
      {part.note && <p className="checkout-way">{`Your note: ${part.note}`}</p>}
    </>
  )
}

const Lines = ({ lines }: { lines: CartLine[] }) => (
  <ul className="checkout-lines">
    {lines.map(line => (
      <CheckoutLine key={line.id} line={line} left={leftFor(line, lines)} />
    ))}
  </ul>
)

function CheckoutLine({ line, left }: { line: CartLine; left: number }) {
  const { data } = useChange(line.id)
  return (
    <li>
      <div className="checkout-piece">
        <span>
          {line.product ? `${line.quantity} × ${line.product.name}` : 'Product details not available'}
        </span>
        {line.product && <span>{dollars(times(line.product.price, line.quantity))}</span>}
      </div>
      <AnswerList answers={line.answers} />
      <PriceBefore product={line.product} />
      <Shortage line={line} left={left} action={CHECKOUT} />
      <Problems messages={data?.problems} of={data ?? null} />
    </li>
  )
}

/** Lines as the API takes them: '7x2 12x1'. */
const itemsOf = (lines: CartLine[]): string =>
  lines.flatMap(({ product, quantity }) => (product ? [`${product.id}x${quantity}`] : [])).join(' ')
