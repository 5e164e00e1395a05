import type { CartLine } from '../contract.ts'
import { useChange } from './optimisticCart.ts'

interface Props {
  line: CartLine
  /** In stock for this line. */
  left: number
  action: string
}

/** Shows that a line exceeds the stock, with a button that lowers or removes it. */
export function Shortage({ line: { id, quantity, product }, left, action }: Props) {
  const mending = useChange(id)
  if (left >= quantity) return null
  const name = product?.name ?? 'this item'
  const none = product && product.stock > 0 ? 'No more of it in stock' : 'Sold out'
  return (
    <mending.Form method="post" action={action} className="shortage">
      {product && <span className="error">{left === 0 ? none : `Only ${left} left in stock`}</span>}
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="intent" value={left > 0 ? 'update' : 'remove'} />
      {left > 0 && <input type="hidden" name="quantity" value={left} />}
      {/* Pressed twice it sends the same again. */}
      <button
        type="submit"
        className="button quiet"
        aria-label={left > 0 ? `Take ${left} of ${name}` : `Remove ${name}`}
      >
        {left > 0 ? `Take ${left}` : 'Remove'}
      </button>
    </mending.Form>
  )
}
