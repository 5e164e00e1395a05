import type { ComponentProps } from 'react'
import type { CartLine } from '../contract.ts'
import { CART_FORM, LINE, QUANTITY } from './cartForm.ts'
import { lineName } from './lineName.ts'
import { useChange } from './optimisticCart.ts'

interface Props {
  line: CartLine
  /** In stock for this line. */
  left: number
  /** The address of the page. */
  action: string
  /**
   * Sends the change, in the cart. Its form is on the page then: without scripts, what was chosen and typed there is sent
   * too.
   */
  send?: (fields: Record<string, string>) => void
}

/** Shows that a line exceeds the stock, with a button that lowers or removes it. */
export function Shortage({ line, left, action, send }: Props) {
  const { id, quantity, product } = line
  const mending = useChange(id)
  if (left >= quantity) return null
  const name = lineName(line)
  const none = product && product.stock > 0 ? 'No more of it in stock' : 'Sold out'
  const intent = left > 0 ? 'update' : 'remove'
  const fields = { id: String(id), intent, ...(left > 0 ? { quantity: String(left) } : {}) }
  const query = new URLSearchParams({ [LINE]: String(id), [QUANTITY]: String(left) })
  // No SubmitButton: a second press sends the same quantity again, which changes nothing.
  const button = (more: ComponentProps<'button'>) => (
    <button
      type="submit"
      className="button quiet"
      aria-label={left > 0 ? `Take ${left} of ${name}` : `Remove ${name}`}
      {...more}
    >
      {left > 0 ? `Take ${left}` : 'Remove'}
    </button>
  )
  const why = product && <span className="error">{left === 0 ? none : `Only ${left} left in stock`}</span>
  if (send)
    return (
      <div className="shortage">
        {why}
        {button({
          form: CART_FORM,
          formAction: `${action}?${query}`,
          name: 'intent',
          value: intent,
          onClick: event => {
            event.preventDefault()
            send(fields)
          },
        })}
      </div>
    )
  return (
    <mending.Form method="post" action={action} className="shortage">
      {why}
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {button({})}
    </mending.Form>
  )
}
