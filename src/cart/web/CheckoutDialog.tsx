import { useState } from 'react'
import { Form, useLocation, useNavigation } from 'react-router'
import { DialogOrPage } from '#web/Dialog.tsx'
import { Problems } from '#web/fields.tsx'
import { LinkButton } from '#web/LinkButton.tsx'
import { SubmitButton } from '#web/SubmitButton.tsx'
import type { CartLine } from '../contract.ts'

/** The last look before ordering. One key as long as it is open: pressed twice, it is still one order. */
export function CheckoutDialog({
  total,
  lines,
  problems,
}: {
  total: string
  lines: CartLine[]
  problems: string[] | undefined
}) {
  const { state } = useLocation()
  const busy = useNavigation().state !== 'idle'
  const [key] = useState(newKey)
  return (
    <DialogOrPage title="Review Your Order" back="/cart">
      <Problems messages={problems} />
      <p>are you sure you want to order these items?</p>
      <ul className="checkout-lines">
        {lines.map(({ id, quantity, product }) => (
          <li key={id}>{product ? `${quantity} × ${product.name}` : 'Product details not available'}</li>
        ))}
      </ul>
      <p className="total">{`Total Price: $${total}`}</p>
      <div className="actions">
        <Form method="post" action="/cart?checkout=yes" state={state} preventScrollReset>
          <input type="hidden" name="intent" value="checkout" />
          <input type="hidden" name="key" value={key} suppressHydrationWarning />
          <SubmitButton busy={busy}>Yes (place order)</SubmitButton>
        </Form>
        <LinkButton to="/cart" replace>
          No
        </LinkButton>
      </div>
    </DialogOrPage>
  )
}

/** A name for this attempt that nobody else uses. Not randomUUID, which browsers withhold from plain http. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
