import { type MouseEvent, useRef } from 'react'
import { useActionData, useFetcher } from 'react-router'
import { useLoginDialog } from '#accounts/web/useLoginDialog.tsx'
import { useMessage } from '#web/messages.ts'
import './cart.css'
import { SubmitButton } from '#web/SubmitButton.tsx'

interface Piece {
  id: number
  name: string
  stock: number
}
interface Result {
  message: string
  failed: boolean
  reason?: string
  loginNeeded?: true
}

/** How long the answer of adding to the cart is shown, milliseconds. */
const MESSAGE_MS = 5_000
const QUANTITIES = [1, 2, 3]

/** How many, and into the cart with them. */
export function AddToCart({ listing: { id, name, stock } }: { listing: Piece }) {
  const action = `/products/${id}`
  const fetcher = useFetcher<Result>()
  const sentWithoutScripts = useActionData<Result>()
  const result = useMessage(fetcher.data ?? sentWithoutScripts, MESSAGE_MS)
  const form = useRef<HTMLFormElement>(null)
  const { login } = useLoginDialog()
  /** What a visitor began is finished once this login succeeds, and forgotten where it is declined. */
  const askLogin = (event: MouseEvent) => {
    event.preventDefault()
    login(() => void fetcher.submit(form.current, { method: 'post', action }))
  }
  if (stock === 0) return <p className="sold-out-notice">{name} is sold out.</p>
  return (
    <fetcher.Form ref={form} className="add-to-cart" method="post" action={action}>
      <label>
        <span>Quantity</span>
        <select name="quantity" defaultValue="1">
          {QUANTITIES.map(n => (
            <option key={n}>{n}</option>
          ))}
        </select>
      </label>
      <SubmitButton busy={fetcher.state !== 'idle'}>Add to cart</SubmitButton>
      <div className="message" role="status">
        {result && (
          <>
            <p className={result.failed ? 'error' : 'success'}>{result.message}</p>
            {result.reason && <p>{result.reason}</p>}
            {result.loginNeeded && (
              <a className="button quiet" href={`/login?next=${action}`} onClick={askLogin}>
                Log In
              </a>
            )}
          </>
        )}
      </div>
    </fetcher.Form>
  )
}
