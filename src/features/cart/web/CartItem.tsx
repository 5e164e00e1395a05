import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import { dollars, times } from '#money'
import { AnswerList } from '#products/web/AnswerList.tsx'
import { Problems } from '#ui/fields.tsx'
import { useImageError } from '#ui/use-image-error.ts'
import { useSaving } from '#ui/use-saving.ts'
import { type CartLine, MAX_QUANTITY } from '../contract.ts'
import { CART_FORM, type CartResult, LINE, quantityOf, UNDO, undoOf } from './cartForm.ts'
import { lineName } from './lineName.ts'
import { leftFor, mostOf } from './lineStock.ts'
import { changeOf } from './optimisticCart.ts'
import { Shortage } from './Shortage.tsx'

const QUANTITIES = Array.from({ length: MAX_QUANTITY }, (_, index) => index + 1)

/** Lines of each maker whose pictures load at once. */
const EAGER = 2

interface CartItemProps {
  line: CartLine
  /** All of its maker: those of one listing share its stock. */
  lines: CartLine[]
  /** Why all of them cannot be ordered, which is said below them. */
  refusal?: string | null
}

/** A cart line with its quantity and remove button. */
export function CartItem({ line, lines, refusal }: CartItemProps) {
  const { id, product } = line
  const change = useSaving<CartResult>('/cart', changeOf(id))
  const remove = useHandingOver()
  const undo = undoOf(line)
  return (
    <li className="cart-line">
      {product ? (
        <>
          <ProductPicture product={product} eager={lines.indexOf(line) < EAGER} />
          <div className="cart-line-about">
            <Link to={`/products/${product.id}`}>{product.name}</Link>
            <p>{`Price: ${priceOf(product.price)}`}</p>
            <LineSum price={product.price} quantity={line.quantity} />
            <AnswerList answers={line.answers} />
            <PriceBefore product={product} />
            {product.refusal && product.refusal !== refusal && <p className="error">{product.refusal}</p>}
            {product.stock === 0 ? (
              <p className="error">Sold out</p>
            ) : (
              <Shortage
                line={line}
                left={leftFor(line, lines)}
                action="/cart"
                send={fields => void change.save(fields)}
              />
            )}
          </div>
          <Quantity line={line} name={lineName(line)} stock={mostOf(line, lines)} change={change} />
        </>
      ) : (
        <p className="cart-line-about">Product details not available</p>
      )}
      {/* Without scripts it sends what was chosen and typed elsewhere in the cart too. */}
      <button
        ref={remove}
        className="link remove"
        type="submit"
        form={CART_FORM}
        formAction={`/cart?${new URLSearchParams({ [LINE]: String(id), ...(undo ? { [UNDO]: undo } : {}) })}`}
        name="intent"
        value="remove"
        aria-label={`Remove ${lineName(line)}`}
        onClick={event => {
          event.preventDefault()
          // It also cancels what waits.
          const quantity = Number(change.next.current?.quantity ?? line.quantity)
          change.next.current = undefined
          const undo = undoOf({ ...line, quantity })
          void change.send({ id: String(id), intent: 'remove', ...(undo ? { [UNDO]: undo } : {}) })
        }}
      >
        Remove
      </button>
      <Problems messages={change.result?.problems} of={change.result ?? null} />
    </li>
  )
}

interface PictureProps {
  product: NonNullable<CartLine['product']>
  /** Loads at once, not when it comes near. */
  eager: boolean
}

function ProductPicture({ product, eager }: PictureProps) {
  const { image_url, image_srcset, name } = product
  const { broken, watched } = useImageError(image_url ?? undefined)
  return image_url && !broken ? (
    <img
      {...watched}
      className="photo"
      src={image_url}
      srcSet={image_srcset ?? undefined}
      // Shown 6rem wide; a cropped wide photo needs more.
      sizes="9rem"
      alt=""
      width="96"
      height="96"
      loading={eager ? undefined : 'lazy'}
    />
  ) : (
    <span className="photo placeholder">{name}</span>
  )
}

const priceOf = (price: unknown): string => (typeof price === 'number' ? dollars(price) : '$N/A')

/** What several pieces cost together: '2 × $26.00 = $52.00'. */
const LineSum = ({ price, quantity }: { price: unknown; quantity: number }) =>
  typeof price === 'number' &&
  quantity > 1 && (
    <p className="line-sum">{`${quantity} × ${dollars(price)} = ${dollars(times(price, quantity))}`}</p>
  )

/** Reports a changed price. */
export const PriceBefore = ({ product }: Pick<CartLine, 'product'>) =>
  product?.added_price !== undefined && (
    <p className="price-before">{`Was ${dollars(product.added_price)} when you added it`}</p>
  )

/** Removing a line moves the focus to the next line, else the previous one, else the heading. */
function useHandingOver() {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const own = button.current
    return () => {
      if (!own || own !== document.activeElement) return
      const cart = own.closest('.cart')
      const all = [...(cart?.querySelectorAll<HTMLElement>('button[value=remove]') ?? [])]
      const at = all.indexOf(own)
      const nearest = [...all.slice(at + 1), ...all.slice(0, at).reverse()]
      // Other lines may go in the same update: wait until they are gone.
      queueMicrotask(() => {
        const next = nearest.find(({ isConnected }) => isConnected)
        ;(next ?? cart?.querySelector('h1'))?.focus()
      })
    }
  }, [])
  return button
}

interface QuantityProps {
  line: CartLine
  name: string
  stock: number
  change: ReturnType<typeof useSaving<CartResult>>
}

/** Sends itself when changed. Without scripts, or before they load, it belongs to the form of the whole cart. */
function Quantity({ line: { id, quantity }, name, stock, change }: QuantityProps) {
  const { save, isSaving, next } = change
  const select = useRef<HTMLSelectElement>(null)
  const send = (quantity: string) => void save({ id: String(id), intent: 'update', quantity })
  // Changed before hydration.
  const sendEarlyChoice = useEffectEvent(() => {
    const { value } = select.current ?? {}
    if (value !== undefined && value !== String(quantity)) send(value)
  })
  useEffect(() => sendEarlyChoice(), [])
  // A quantity from the server replaces the chosen one; the control and its focus stay. Not at first: an early choice
  // is about to be sent. Not while a newer choice waits.
  const drawn = useRef<number>(quantity)
  useLayoutEffect(() => {
    // The choice may be refused.
    if (isSaving) drawn.current = 0
    if (!select.current || isSaving || next.current || drawn.current === quantity) return
    select.current.value = String(quantity)
    drawn.current = quantity
  }, [quantity, isSaving, next])
  return (
    <div className="quantity">
      <label>
        <span>Quantity</span>
        <select
          ref={select}
          form={CART_FORM}
          name={quantityOf(id)}
          aria-label={`Quantity of ${name}`}
          // Prevents the browser from restoring an old value.
          autoComplete="off"
          defaultValue={quantity}
          onChange={event => send(event.currentTarget.value)}
        >
          {QUANTITIES.map(n => (
            // The line's own quantity stays selectable, even above the stock.
            <option key={n} disabled={n > stock && n !== quantity}>
              {n}
            </option>
          ))}
        </select>
      </label>
      <button
        className="button quiet unscripted"
        type="submit"
        form={CART_FORM}
        name="intent"
        value="quantities"
      >
        Update
      </button>
    </div>
  )
}
