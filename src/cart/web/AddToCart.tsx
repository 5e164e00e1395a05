import { type MouseEvent, useEffect, useRef } from 'react'
import { useActionData, useFetcher } from 'react-router'
import { loginTo } from '#accounts/web/person.ts'
import { useUser } from '#accounts/web/session.ts'
import { useLoginDialog } from '#accounts/web/useLoginDialog.tsx'
import { useFlash } from '#web/flash.ts'
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
  loginNeeded?: number
}

/** How long the answer of adding to the cart is shown, milliseconds. */
const MESSAGE_MS = 5_000
const QUANTITIES = [1, 2, 3]
/** What a form that was sent without scripts came to, told after its redirect. */
const ADDED = { added: { message: 'Item added to cart!', failed: false } } satisfies Record<string, Result>

/** How many, and into the cart with them. */
export function AddToCart({ listing: { id, name, stock } }: { listing: Piece }) {
  const action = `/products/${id}`
  const fetcher = useFetcher<Result>()
  const sentWithoutScripts = useActionData<Result>()
  const visitor = useUser() === null
  const flash = useFlash<Result>(ADDED)
  const told = fetcher.data ?? sentWithoutScripts ?? (visitor ? undefined : flash)
  const result = useMessage(told, MESSAGE_MS)
  const form = useRef<HTMLFormElement>(null)
  const submit = useRef<HTMLButtonElement>(null)
  const quantity = useRef<HTMLSelectElement>(null)
  const { login } = useLoginDialog()
  // The way in stays when the words have gone: who reads slowly, or is on it with the keyboard, still needs it.
  const wanted = visitor && stock > 0 ? told?.loginNeeded : undefined
  /** What a visitor began is finished once this login succeeds, and forgotten where it is declined. */
  const askLogin = (event: MouseEvent) => {
    event.preventDefault()
    login(() => void fetcher.submit(form.current, { method: 'post', action }))
  }
  // Once they are in, that way is gone, and takes the focus along.
  const asked = useRef(wanted)
  useEffect(() => {
    const over = asked.current !== undefined && wanted === undefined
    asked.current = wanted
    if (over && document.activeElement === document.body) submit.current?.focus()
  }, [wanted])
  // What is no longer there cannot stay chosen: a browser would send nothing.
  useEffect(() => {
    const { current } = quantity
    if (current && Number(current.value) > stock) current.value = String(stock)
  }, [stock])
  const next = `/cart?add=${id}&quantity=${wanted}`
  const message = (
    <div className="message" role="status">
      {result && (
        <>
          <p className={result.failed ? 'error' : 'success'}>{result.message}</p>
          {result.reason && <p>{result.reason}</p>}
        </>
      )}
      {wanted !== undefined && (
        <a className="button quiet" href={loginTo(next)} onClick={askLogin}>
          Log In
        </a>
      )}
    </div>
  )
  // It may have sold out while somebody was about to buy it.
  if (stock === 0)
    return (
      <>
        <p className="sold-out-notice">{name} is sold out.</p>
        {result && message}
      </>
    )
  return (
    <fetcher.Form ref={form} className="add-to-cart" method="post" action={action}>
      <label>
        <span>Quantity</span>
        <select ref={quantity} name="quantity" defaultValue={wanted ?? 1}>
          {QUANTITIES.map(n => (
            <option key={n} disabled={n > stock}>
              {n}
            </option>
          ))}
        </select>
      </label>
      <SubmitButton ref={submit} busy={fetcher.state !== 'idle'}>
        Add to cart
      </SubmitButton>
      {message}
    </fetcher.Form>
  )
}
