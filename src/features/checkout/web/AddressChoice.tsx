import { type ChangeEvent, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import { countryName } from '#addresses/countries.ts'
import { AddressLines } from '#addresses/web/AddressLines.tsx'
import { CART_FORM, type CartResult } from '#cart/web/cartForm.ts'
import { Problems } from '#ui/fields.tsx'
import { useSaving } from '#ui/use-saving.ts'
import type { Checkout } from '../contract.ts'
import { Choose } from './Choose.tsx'
import { ADDRESS_FIELD } from './saveCart.ts'

/** Where parcels go: one of the own addresses. */
export function AddressChoice({ checkout: { address, addresses } }: { checkout: Checkout }) {
  const id = useId()
  const select = useRef<HTMLSelectElement>(null)
  const { save, isSaving, result } = useSaving<CartResult>('/cart', 'cart address')
  const saved = String(address?.id ?? '')
  const send = (value: string) => void save({ intent: 'address', [ADDRESS_FIELD]: value })
  // Changed before hydration.
  const sendEarlyChoice = useEffectEvent(() => {
    const { value } = select.current ?? {}
    if (value !== undefined && value !== saved) send(value)
  })
  useEffect(() => sendEarlyChoice(), [])
  // What the server has replaces the choice once it has answered. Not at first: an early choice is about to be sent.
  const drawn = useRef(saved)
  // Before the next choice: an effect that waits runs during it, and would undo it.
  useLayoutEffect(() => {
    if (isSaving || (drawn.current === saved && !result?.problems)) return
    drawn.current = saved
    if (select.current) select.current.value = saved
  }, [saved, isSaving, result])
  return (
    <section className="cart-address" aria-labelledby={id}>
      <h2 id={id}>Your address</h2>
      {addresses.length > 0 && (
        <div className="cart-address-choice">
          <label>
            <span>Send parcels to</span>
            <select
              ref={select}
              form={CART_FORM}
              name={ADDRESS_FIELD}
              defaultValue={saved}
              autoComplete="off"
              onChange={({ currentTarget }: ChangeEvent<HTMLSelectElement>) => send(currentTarget.value)}
            >
              {!address && <option value="">Choose an address</option>}
              {addresses.map(({ id, name, line1, city, country }) => (
                <option key={id} value={id} suppressHydrationWarning>
                  {[name, line1, city, countryName(country)].filter(Boolean).join(', ')}
                </option>
              ))}
            </select>
          </label>
          <Choose name="Choose the address" result={result} />
        </div>
      )}
      {address && <AddressLines address={address} />}
      <p>
        <Link className="alone" to="/settings/addresses?next=/cart">
          {addresses.length > 0 ? 'Use another address' : 'Add an address'}
        </Link>
      </p>
      <Problems messages={result?.problems} of={result ?? null} />
    </section>
  )
}
