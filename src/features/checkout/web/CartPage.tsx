import { type FormEvent, useState } from 'react'
import { Form, Link, useActionData, useLoaderData, useNavigate, useSearchParams } from 'react-router'
import { useLoginDialog } from '#accounts/web/useLoginDialog.tsx'
import type { CartLine } from '#cart/contract.ts'
import { CartItem } from '#cart/web/CartItem.tsx'
import { CART_FORM, type CartResult } from '#cart/web/cartForm.ts'
import { useOptimisticCart } from '#cart/web/optimisticCart.ts'
import { lengthOf } from '#text'
import { asDialog, useIsDialog } from '#ui/DialogOrPage.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Problems } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { useTransient } from '#ui/use-transient.ts'
import { NOTE_LENGTH } from '../note-length.ts'
import { AddressChoice } from './AddressChoice.tsx'
import { CheckoutDialog } from './CheckoutDialog.tsx'
import { CHECKOUT, DONE, type loader } from './cart.route.ts'
import { MakerBlock, refusalId } from './MakerBlock.tsx'
import { Removals } from './Removals.tsx'
import { Sums } from './Sums.tsx'
import { groupBySeller, isPlain, type SellerGroup, sumsOf } from './sellerGroups.ts'
import '#cart/web/cart.css'
import './checkout.css'

export function Page() {
  const cart = useLoaderData<typeof loader>()
  const { lines, changing, blocking } = useOptimisticCart(cart.lines)
  const flash = useFlash<CartResult>(DONE)
  const result = useActionData<CartResult | null>() ?? flash
  const checkingOut = useSearchParams()[0].has('checkout')
  const isDialog = useIsDialog()
  if (!lines || !cart.checkout) return <LoggedOut notes={Object.values(result?.notes ?? {})} />
  const { blocks, others } = groupBySeller(lines, cart.checkout.parts)
  const refused = blocks.find(({ part }) => part.refusal !== null)
  const checkout = checkingOut && lines.length > 0 && !refused && (
    <CheckoutDialog {...{ checkout: cart.checkout, blocks, others, changing, result }} />
  )
  if (checkout && !isDialog) return checkout
  return (
    <section className="cart">
      <h1 tabIndex={-1}>Shopping Cart</h1>
      <Removals lines={cart.lines ?? []} result={result} />
      <Problems messages={checkout ? undefined : result?.problems} />
      <Added lines={lines} />
      <Ordered numbers={cart.ordered ?? []} />
      {lines.length === 0 ? (
        <Empty drawing="bag" text="Your cart is empty">
          <Link className="button quiet" to="/">
            Look around
          </Link>
        </Empty>
      ) : (
        <div className="cart-columns">
          <div>
            {blocks.some(({ part }) => part.by_post) && <AddressChoice checkout={cart.checkout} />}
            {blocks.map(block => (
              <MakerBlock
                key={block.part.seller.id}
                block={block}
                plain={isPlain(blocks)}
                alone={blocks.length === 1}
                address={cart.checkout?.address ?? null}
                note={result?.notes?.[block.part.seller.id]}
              />
            ))}
            {others.length > 0 && (
              <ul className="cart-lines">
                {others.map(line => (
                  <CartItem key={line.id} line={line} lines={others} />
                ))}
              </ul>
            )}
          </div>
          <div className="cart-sum">
            <Sums {...sumsOf(blocks)} />
            <Proceed blocking={blocking} refused={refused} />
          </div>
        </div>
      )}
      {checkout}
    </section>
  )
}

/** Opens the checkout, or leads to what stands against it. Without scripts it also sends everything that was chosen. */
function Proceed({ blocking, refused }: { blocking: boolean; refused: SellerGroup | undefined }) {
  const navigate = useNavigate()
  const open = (event: FormEvent) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    if ((submitter as HTMLButtonElement | null)?.value !== 'proceed') return
    event.preventDefault()
    const long = [...document.querySelectorAll<HTMLTextAreaElement>('.cart textarea')].find(
      ({ value }) => lengthOf(value.trim()) > NOTE_LENGTH,
    )
    if (long) showNote(long)
    else if (refused) document.getElementById(refusalId(refused.part.seller.id))?.focus()
    else void navigate(CHECKOUT, { state: asDialog, preventScrollReset: true })
  }
  return (
    <Form id={CART_FORM} method="post" action="/cart" onSubmit={open}>
      <button
        className="button"
        type="submit"
        name="intent"
        value="proceed"
        // The server must have every change before the order.
        disabled={blocking}
      >
        Proceed to checkout
      </button>
    </Form>
  )
}

/** Focuses a note to a seller, which may be folded away. */
function showNote(note: HTMLTextAreaElement): void {
  const folded = note.closest('details')
  if (folded) folded.open = true
  note.focus()
}

/** Result of "Add to cart" after a login without scripts. */
function Added({ lines }: { lines: CartLine[] }) {
  const [parameters] = useSearchParams()
  const added = parameters.get('add')
  // As of page load: a line removed later was there.
  const [isInCart] = useState(() => lines.some(({ product }) => String(product?.id) === added))
  const failed = parameters.get('failed')
  const [outcome] = useState({ added: failed === null, isLost: failed === 'lost' })
  const shown = useTransient(outcome)
  // Removed or ordered since, and this page loaded again: that is no failure.
  if (added === null || !shown || (shown.added && !isInCart)) return null
  const failure =
    isInCart && shown.isLost
      ? 'The connection was lost. Please check the quantity of the item.'
      : 'Failed to add item to cart.'
  return (
    <p className={shown.added ? 'success' : 'error'} role="status">
      {shown.added ? 'Item added to cart!' : failure}
    </p>
  )
}

/** What the cart has become, perhaps in another tab. */
function Ordered({ numbers }: { numbers: number[] }) {
  if (numbers.length === 0) return null
  const named = new Intl.ListFormat('en').format(numbers.map(number => `#${number}`))
  return (
    <p className="success" role="status">
      {`Already ordered, as ${numbers.length > 1 ? 'orders' : 'order'} ${named}: see `}
      <Link to="/orders/view">your orders</Link>
    </p>
  )
}

/** @param notes to makers that were typed before the session ended, without scripts */
function LoggedOut({ notes }: { notes: string[] }) {
  const { login } = useLoginDialog()
  return (
    <section className="notice">
      {notes.length > 0 && (
        <>
          <p role="alert">Copy your note first: it could not be saved, because you are logged out.</p>
          {notes.map(note => (
            <p key={note} className="quoted" dir="auto">
              {note}
            </p>
          ))}
        </>
      )}
      <h1>
        <a
          className="button"
          href="/login?next=/cart"
          onClick={event => {
            event.preventDefault()
            login(undefined, 'to see your cart')
          }}
        >
          Log In
        </a>
      </h1>
    </section>
  )
}
