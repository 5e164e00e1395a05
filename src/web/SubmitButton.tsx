import { type ComponentProps, type MouseEvent, useRef } from 'react'

/** Two presses within this time are one, milliseconds: the page may not have drawn yet that it is busy. */
const DOUBLE_MS = 500

/**
 * Sends its form once: while the answer is on its way it does nothing, and neither does the second half of a double
 * click. It is not `disabled` then, because a disabled button loses the focus, and whoever works with the keyboard
 * their place.
 */
export function SubmitButton({
  busy,
  className = 'button',
  ...button
}: ComponentProps<'button'> & { busy: boolean }) {
  const pressed = useRef(Number.NEGATIVE_INFINITY)
  const once = (event: MouseEvent) => {
    if (busy || event.timeStamp - pressed.current < DOUBLE_MS) event.preventDefault()
    else pressed.current = event.timeStamp
  }
  return (
    <button
      className={className}
      {...button}
      type="submit"
      aria-disabled={busy || undefined}
      onClick={once}
    />
  )
}
