import { SubmitButton } from '#web/SubmitButton.tsx'
import type { CartLine } from '../contract.ts'
import { useRemoval } from './RemovedMessage.tsx'

/** What a line asks for and cannot have, with the one press that mends it: what is left, or without it. */
export function Shortage({ line: { id, quantity, product }, action }: { line: CartLine; action: string }) {
  const mending = useRemoval()
  const left = product?.stock ?? 0
  if (left >= quantity) return null
  const name = product?.name ?? 'this item'
  return (
    <mending.Form method="post" action={action} className="shortage">
      {product && <span className="error">{left === 0 ? 'Sold out' : `Only ${left} left in stock`}</span>}
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="intent" value={left > 0 ? 'update' : 'remove'} />
      {left > 0 && <input type="hidden" name="quantity" value={left} />}
      {/* One change after the other: they share a fetcher, and a second would end the first. */}
      <SubmitButton
        className="button quiet"
        busy={mending.state !== 'idle'}
        aria-label={left > 0 ? `Take ${left} of ${name}` : `Remove ${name}`}
      >
        {left > 0 ? `Take ${left}` : 'Remove'}
      </SubmitButton>
    </mending.Form>
  )
}
