import { useId, useLayoutEffect, useMemo, useRef } from 'react'
import type { FieldErrors } from '#problem'
import { CHANGED_MEANWHILE, type ShelfListing } from '../contract.ts'
import { listedPrice } from '../listed-price.ts'
import { controlOf, isStored, LABELS, textOf } from './priceForm.ts'

/** Id of the form that the prices and stocks belong to. */
export const PRICES = 'prices'

/** Texts that were typed and not saved, by control, with the value that the page showed. Lost with the document. */
const unsaved = new Map<string, { now: string; text: string }>()

/** Texts that are being saved, by control. */
const sent = new Map<string, string>()

/** Remembers what a form sends. */
export const rememberSent = ({ name, value }: HTMLInputElement): unknown => sent.set(name, value)

/** Remembers what is typed for a price or stock, for when its page was left. @returns whether it is not what is stored */
export function rememberTyped({ name, value, dataset: { now } }: HTMLInputElement): boolean {
  if (now === undefined) return false
  const isChanged = !isStored(value, Number(now))
  if (isChanged) unsaved.set(name, { now, text: value })
  else unsaved.delete(name)
  return isChanged
}

interface PriceCellProps {
  kind: 'price' | 'stock'
  listing: ShelfListing
  errors: FieldErrors
  /** What was typed and not saved, by control. */
  typed: Record<string, string> | undefined
}

/** The price or stock of a listing, to type another. */
export function PriceCell({ kind, listing, errors, typed }: PriceCellProps) {
  const id = useId()
  const name = controlOf(kind, listing.id)
  const now = textOf(kind, listing)
  const text = useMemo(() => {
    const left = unsaved.get(name)
    return left?.now === now ? left.text : now
  }, [name, now])
  const field = useRef<HTMLInputElement>(null)
  const previous = useRef(now)
  // It was saved, or changed elsewhere: the new value is shown, unless another one was typed since it was sent.
  useLayoutEffect(() => {
    const { current } = field
    if (!current || previous.current === now) return
    previous.current = now
    const saved = sent.get(name)
    const isTypedSince = saved !== undefined && isStored(saved, Number(now)) && current.value !== saved
    if (!isTypedSince) current.value = typed?.[name] ?? now
  }, [now, name, typed])
  const error = errors[name]
  const isChanged = error === CHANGED_MEANWHILE && kind === 'price'
  const input = (
    <input
      ref={field}
      id={id}
      form={PRICES}
      name={name}
      type="text"
      inputMode={kind === 'price' ? 'decimal' : 'numeric'}
      autoComplete="off"
      required
      defaultValue={typed?.[name] ?? text}
      data-now={now}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    />
  )
  return (
    <div className="price-cell field">
      <label htmlFor={id}>
        {LABELS[kind]}
        <span className="visually-hidden">{` of ${listing.name}`}</span>
      </label>
      {kind === 'price' ? (
        <div className="with-unit">
          <span aria-hidden="true">$</span>
          {input}
        </div>
      ) : (
        input
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {isChanged ? `${error}. Its price is now ${listedPrice(listing)}` : error}
        </p>
      )}
    </div>
  )
}
