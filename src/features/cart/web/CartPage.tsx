import { type FormEvent, useState } from 'react'
import { Form, Link, useActionData, useLoaderData, useNavigate, useSearchParams } from 'react-router'
import { useLoginDialog } from '#accounts/web/useLoginDialog.tsx'
import { dollars, fromCents, toCents } from '#money'
import { asDialog, useIsDialog } from '#ui/Dialog.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { useTransient } from '#ui/use-transient.ts'
import type { CartLine } from '../contract.ts'
import { CartItem, QUANTITIES_FORM } from './CartItem.tsx'
import { CheckoutDialog } from './CheckoutDialog.tsx'
import { type CartResult, CHECKOUT, DONE, type loader } from './cart.route.ts'
import { useOptimisticCart } from './optimisticCart.ts'
import { Removals } from './Removals.tsx'
import './cart.css'

export function Page() {
  const cart = useLoaderData<typeof loader>()
  const { lines, changing } = useOptimisticCart(cart.lines)
  const flash = useFlash<CartResult>(DONE)
  const result = useActionData<CartResult | null>() ?? flash
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
      {cart.ordered !== undefined && (
        <p className="success" role="status">
          {`Already ordered, as order #${cart.ordered}: see `}
          <Link to="/orders/view">your orders</Link>
        </p>
      )}
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
            <p className="total">{`Total Price: ${dollars(totalOf(lines))}`}</p>
            <Proceed changing={changing} />
          </div>
        </>
      )}
      {checkout}
    </section>
  )
}

/** Opens the checkout. Without scripts it also sends the chosen quantities. */
function Proceed({ changing }: { changing: boolean }) {
  const navigate = useNavigate()
  const open = (event: FormEvent) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    if ((submitter as HTMLButtonElement | null)?.value !== 'proceed') return
    event.preventDefault()
    void navigate(CHECKOUT, { state: asDialog, preventScrollReset: true })
  }
  return (
    <Form id={QUANTITIES_FORM} method="post" action="/cart" onSubmit={open}>
      <button
        className="button"
        type="submit"
        name="intent"
        value="proceed"
        // The server must have every change before the order.
        disabled={changing}
      >
        Proceed to checkout
      </button>
    </Form>
  )
}

/** Summed in whole cents. Deleted listings cost nothing. */
const totalOf = (lines: CartLine[]): number => {
  const cents = lines.reduce(
    (sum, { product, quantity }) =>
      sum + (typeof product?.price === 'number' ? toCents(product.price) * quantity : 0),
    0,
  )
  return fromCents(cents)
}

/** How long the result is shown, ms. */
const MESSAGE_MS = 5_000

/** Result of "Add to cart" after a login without scripts. */
function Added({ lines }: { lines: CartLine[] }) {
  const [parameters] = useSearchParams()
  const added = parameters.get('add')
  // As of page load: a line removed later was there.
  const [isInCart] = useState(() => lines.some(({ product }) => String(product?.id) === added))
  const [outcome] = useState({ added: isInCart && !parameters.has('failed') })
  const shown = useTransient(outcome, MESSAGE_MS)
  if (added === null || !shown) return null
  return (
    <p className={shown.added ? 'success' : 'error'} role="status">
      {shown.added ? 'Item added to cart!' : 'Failed to add item to cart.'}
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
            login(undefined, 'Log in to see your cart')
          }}
        >
          Log In
        </a>
      </h1>
    </section>
  )
}
