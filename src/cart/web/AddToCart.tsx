import { useActionData, useFetcher } from 'react-router'
import { useMessage } from '#web/messages.ts'
import './cart.css'

interface Piece {
  id: number
  name: string
  stock: number
}
interface Result {
  message: string
  failed: boolean
  reason?: string
}

/** How long the answer of adding to the cart is shown, milliseconds. */
const MESSAGE_MS = 5_000
const QUANTITIES = [1, 2, 3]

/** How many, and into the cart with them. */
export function AddToCart({ listing: { id, name, stock } }: { listing: Piece }) {
  const fetcher = useFetcher<Result>()
  const sentWithoutScripts = useActionData<Result>()
  const result = useMessage(fetcher.data ?? sentWithoutScripts, MESSAGE_MS)
  if (stock === 0) return <p className="sold-out-notice">{name} is sold out.</p>
  return (
    <fetcher.Form className="add-to-cart" method="post" action={`/products/${id}`}>
      <label>
        <span>Quantity</span>
        <select name="quantity" defaultValue="1">
          {QUANTITIES.map(n => (
            <option key={n}>{n}</option>
          ))}
        </select>
      </label>
      <button className="button" type="submit" disabled={fetcher.state !== 'idle'}>
        Add to cart
      </button>
      <div className="message" role="status">
        {result && (
          <>
            <p className={result.failed ? 'error' : 'success'}>{result.message}</p>
            {result.reason && <p>{result.reason}</p>}
          </>
        )}
      </div>
    </fetcher.Form>
  )
}
