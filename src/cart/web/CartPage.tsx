import { useState } from 'react'
import { Link, useActionData, useLoaderData, useSearchParams } from 'react-router'
import { useLoginDialog } from '#accounts/web/useLoginDialog.tsx'
import { toCents, twoDecimals } from '#money'
import { asDialog, useIsDialog } from '#web/Dialog.tsx'
import { Empty } from '#web/Empty.tsx'
import { Problems } from '#web/fields.tsx'
import { LinkButton } from '#web/LinkButton.tsx'
import type { CartLine } from '../contract.ts'
import { CartItem } from './CartItem.tsx'
import { CheckoutDialog } from './CheckoutDialog.tsx'
import type { CartResult, loader } from './cart.ts'
import { useExpected } from './expected.ts'
import { Removals } from './Removals.tsx'
import './cart.css'

export function Page() {
  const cart = useLoaderData<typeof loader>()
  const { lines, changing } = useExpected(cart.lines)
  const result = useActionData<CartResult | null>() ?? undefined
  const checkingOut = useSearchParams()[0].has('checkout')
  const isDialog = useIsDialog()
  if (!lines) return <LoggedOut />
  const checkout = checkingOut && lines.length > 0 && (
    <CheckoutDialog total={totalOf(lines)} lines={lines} changing={changing} result={result} />
  )
  if (checkout && !isDialog) return checkout
  return (
    <section className="cart">
      <h1 tabIndex={-1}>Shopping Cart</h1>
      <Removals lines={cart.lines ?? []} result={result} />
      <Problems messages={checkingOut ? undefined : result?.problems} />
      <Added lines={lines} />
      {lines.length === 0 ? (
        <Empty drawing="bag" text="Your cart is empty">
          <Link className="button quiet" to="/">
            Look around
          </Link>
        </Empty>
      ) : (
        <>
          <ul className="cart-lines">
            {lines.map(line => (
              <CartItem key={line.id} line={line} />
            ))}
          </ul>
          <div className="cart-sum">
            <p className="total">{`Total Price: $${totalOf(lines)}`}</p>
            <LinkButton
              className="button"
              to="/cart"
              name="checkout"
              value="yes"
              state={asDialog}
              // What is ordered is what the server has: it must have heard of every change first.
              disabled={changing}
            >
              Proceed to checkout
            </LinkButton>
          </div>
        </>
      )}
      {checkout}
    </section>
  )
}

/** Two decimals; summed in whole cents. Lines without a price, because their listing is gone, cost nothing. */
const totalOf = (lines: CartLine[]): string => {
  const cents = lines.reduce(
    (sum, { product, quantity }) =>
      sum + (typeof product?.price === 'number' ? toCents(product.price) * quantity : 0),
    0,
  )
  return twoDecimals(cents / 100)
}

/** After a login that began at "Add to cart" without scripts: what came of it. */
function Added({ lines }: { lines: CartLine[] }) {
  const [parameters] = useSearchParams()
  const asked = parameters.get('add')
  // As it was when the page came: a line that is taken out later was there.
  const [isThere] = useState(() => lines.some(({ product }) => String(product?.id) === asked))
  const added = isThere && !parameters.has('failed')
  if (asked === null) return null
  return (
    <p className={added ? 'success' : 'error'} role="status">
      {added ? 'Item added to cart!' : 'Failed to add item to cart.'}
    </p>
  )
}

function LoggedOut() {
  const { login } = useLoginDialog()
  return (
    <section className="notice">
      <h1>
        <a
          className="button"
          href="/login?next=/cart"
          onClick={event => {
            event.preventDefault()
            login()
          }}
        >
          Log In
        </a>
      </h1>
    </section>
  )
}
