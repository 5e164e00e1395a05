import { useEffect, useRef, useState } from 'react'
import { Form, useLoaderData, useLocation, useNavigation } from 'react-router'
import { useRules } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { OwnListing } from './OwnListing.tsx'
import { PRICES, rememberSent, rememberTyped } from './PriceCell.tsx'
import { validatePrices } from './priceForm.ts'
import { listingsAt } from './shelfQuery.ts'
import type { loader, ShelfResult } from './yourListings.route.ts'

/** The seller's listings as rows, and one form for the prices and stocks of those for sale. */
export function OwnListings({ result }: { result: ShelfResult | undefined }) {
  const { products, key } = useLoaderData<typeof loader>()
  const here = listingsAt(useLocation().search)
  // Until the page has the new versions: sent before that, a second change would be refused.
  const busy = useNavigation().formMethod === 'POST'
  const { errors, form } = useRules(validatePrices, result?.fields)
  const list = useRef<HTMLUListElement>(null)
  const [changed, setChanged] = useState(0)
  // The controls are in the rows, outside the form. After each rendering: a saved value is no change any more.
  useEffect(() => {
    const element = list.current
    const count = () =>
      setChanged([...(element?.querySelectorAll('input') ?? [])].filter(rememberTyped).length)
    count()
    element?.addEventListener('input', count)
    return () => element?.removeEventListener('input', count)
  })
  // A link keeps what was typed for the way back. Closing the tab would lose it.
  useEffect(() => {
    if (changed === 0) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [changed])
  const isFirst = useRef(true)
  useEffect(() => {
    const isUsed = isFirst.current && document.activeElement !== document.body
    isFirst.current = false
    if (Object.keys(errors).length > 0 && !isUsed)
      list.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  const canSave = products.some(isPriced)
  return (
    <>
      <div className="own-columns" aria-hidden="true">
        <span>Piece</span>
        <span>State</span>
        <span>Price</span>
        <span>Stock</span>
      </div>
      <ul ref={list}>
        {products.map(listing => (
          <OwnListing
            key={listing.id}
            listing={listing}
            isPriced={isPriced(listing)}
            errors={errors}
            typed={result?.typed}
          />
        ))}
      </ul>
      {canSave && (
        <Form
          id={PRICES}
          method="post"
          action={here}
          className={changed > 0 ? 'own-save waits' : 'own-save'}
          preventScrollReset
          ref={form.ref}
          onSubmit={event => {
            for (const field of list.current?.querySelectorAll<HTMLInputElement>('input[data-now]') ?? [])
              rememberSent(field)
            form.onSubmit(event)
          }}
          noValidate
        >
          <input type="hidden" name="key" value={key} suppressHydrationWarning />
          <SubmitButton busy={busy} name="intent" value="prices">
            Save prices and stock
          </SubmitButton>
          {changed > 0 && <span>{changed === 1 ? '1 change' : `${changed} changes`}</span>}
        </Form>
      )}
    </>
  )
}

const isPriced = ({ state, is_varied }: { state: string; is_varied: boolean }) =>
  !is_varied && ['sold-out', 'away', 'for-sale'].includes(state)
