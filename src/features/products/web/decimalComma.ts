import { type RefObject, useEffect } from 'react'

/** Accepts a decimal comma in a price. Browsers set to English drop it from a number field: 12,50 would become 1250. */
export function useDecimalComma(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const element = form.current
    element?.addEventListener('beforeinput', putPoint)
    return () => element?.removeEventListener('beforeinput', putPoint)
  }, [form])
}

/** Typed, pasted or dropped text. The browser inserts it at the cursor and can undo it. */
function putPoint(event: InputEvent): void {
  const { target, data, cancelable } = event
  if (!(target instanceof HTMLInputElement) || target.name !== 'price') return
  if (!cancelable || !data?.includes(',')) return
  event.preventDefault()
  document.execCommand('insertText', false, withPoint(data))
}

/** '12,50' → '12.50', '1,250.00' and '1.250,00' → '1250.00': the last mark is the decimal point. */
const withPoint = (price: string): string => price.replace(/[.,](?=.*[.,])/g, '').replace(',', '.')
