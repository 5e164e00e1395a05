import {
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import type { Address } from '#addresses/contract.ts'
import { countryName } from '#addresses/countries.ts'
import { CART_FORM, type CartResult } from '#cart/web/cartForm.ts'
import { askOverFetch, attempt } from '#ui/api-client.ts'
import { CharacterCounter } from '#ui/CharacterCounter.tsx'
import { Problems } from '#ui/fields.tsx'
import { useSaving } from '#ui/use-saving.ts'
import type { CheckoutPart } from '../contract.ts'
import { NOTE_LENGTH } from '../note-length.ts'
import { Choose } from './Choose.tsx'
import { daysOf, priceOf, readyWithin } from './deliveryText.ts'
import { BY_POST, noteFieldOf, wayFieldOf, wayIn } from './saveCart.ts'

interface DeliveryChoiceProps {
  part: CheckoutPart
  plain: boolean
  address: Address | null
  /** The note as it was typed, if it could not be saved. */
  note: string | undefined
}

/** How the pieces of a maker arrive, with a note to the maker. Each choice is saved at once, a note when it is left. */
export function DeliveryChoice({ part, plain, address, note = part.note }: DeliveryChoiceProps) {
  const id = useId()
  const { seller, post, pickup_places } = part
  const { save, isSaving, result } = useSaving<CartResult>('/cart', `cart maker ${seller.id}`)
  const group = useRef<HTMLDivElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const saved = wayIn(part)
  const radios = () => [...(group.current?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? [])]
  /** The fields that were changed here: the others keep what another tab has saved. Each request sends all of them. */
  const changed = useRef<{ way?: string; note?: string }>({})
  const send = (change: { way?: string; note?: string }) => {
    Object.assign(changed.current, change)
    void save({ intent: 'choose', seller: String(seller.id), ...changed.current })
  }
  // Chosen or written before hydration.
  const sendEarlyChoice = useEffectEvent(() => {
    const way = radios().find(({ checked, value }) => checked && value !== saved)?.value
    const early = text.current?.value
    const isWritten = early !== undefined && early !== text.current?.defaultValue
    if (way !== undefined || isWritten)
      send({ ...(way === undefined ? {} : { way }), ...(isWritten ? { note: early } : {}) })
  })
  useEffect(() => sendEarlyChoice(), [])
  // Once the server has answered, its choice replaces the shown one. Not at first: an early choice is about to be
  // sent.
  const drawn = useRef(saved)
  const draw = useEffectEvent(() => {
    for (const radio of radios()) radio.checked = radio.value === saved
  })
  const written = useRef(note)
  // Before the next click: an effect that waits runs during it, when the browser has checked the new radio already.
  useLayoutEffect(() => {
    if (!isSaving && result && !result.problems) changed.current = {}
    // A refused note is sent again when its field loses focus the next time.
    if (!isSaving && result?.problems) written.current = part.note
    if (isSaving || (drawn.current === saved && !result?.problems)) return
    drawn.current = saved
    draw()
  }, [saved, isSaving, result, part.note])
  const sendNote = ({ currentTarget: { value } }: FocusEvent<HTMLTextAreaElement>) => {
    if (value === written.current) return
    written.current = value
    send({ note: value })
  }
  // A removed field gets no blur event, for example when the page is left.
  useEffect(() => {
    const field = text.current
    const leave = () => {
      if (!field || field.value === written.current) return
      written.current = field.value
      const params = { sellerId: seller.id }
      void attempt(
        askOverFetch('PUT /api/checkout/sellers/:sellerId', {
          params,
          body: { note: field.value },
          keepalive: true,
        }),
      )
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [seller.id])
  const ways = [
    ...(post ? [{ value: BY_POST, label: `By post, ${priceOf(post.postage)}`, about: daysOf(post) }] : []),
    ...pickup_places.map(({ id, place, hours }) => ({
      value: String(id),
      // What is free everywhere needs no price.
      label: part.by_post ? `${place}, free` : place,
      about: hours,
    })),
  ]
  const [only] = ways
  return (
    <div className="delivery" ref={group}>
      {ways.length > 1 ? (
        <fieldset>
          <legend>{`How the pieces from ${seller.name} reach you`}</legend>
          {ways.map(({ value, label, about }) => (
            <label key={value}>
              <input
                type="radio"
                form={CART_FORM}
                name={wayFieldOf(seller.id)}
                value={value}
                defaultChecked={value === saved}
                autoComplete="off"
                onChange={() => send({ way: value })}
                onKeyDown={keepForm}
              />
              <span>
                {label}
                {about && <span className="hint">{about}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      ) : (
        only && (
          <p className="way">
            {only.label}
            {only.about && <span className="hint">{only.about}</span>}
          </p>
        )
      )}
      {part.by_post && !post && part.refusal === null && (
        <p className="hint" suppressHydrationWarning>
          {address
            ? `Not sent by post to ${countryName(address.country)}`
            : 'By post: choose an address first'}
        </p>
      )}
      {!plain && <p className="hint">{readyWithin(part)}</p>}
      <details open={note !== '' || undefined}>
        <summary>{plain ? 'Add a note' : `Add a note to ${seller.name}`}</summary>
        <label htmlFor={id} className="visually-hidden">{`Note to ${seller.name}`}</label>
        <textarea
          ref={text}
          id={id}
          form={CART_FORM}
          name={noteFieldOf(seller.id)}
          defaultValue={note}
          rows={3}
          dir="auto"
          autoComplete="off"
          onBlur={sendNote}
        />
        <div className="below">
          <CharacterCounter id={id} limit={NOTE_LENGTH} />
        </div>
      </details>
      <Choose name={`Choose for ${seller.name}`} result={result} />
      <Problems messages={result?.problems} of={result ?? null} />
      {result?.loginNeeded && <LoginNeeded />}
    </div>
  )
}

/** Enter on a radio button would press the first button of the form. */
function keepForm(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter') event.preventDefault()
}
