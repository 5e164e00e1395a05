import type { ComponentProps, MouseEvent } from 'react'

/**
 * Sends its form once: while the answer is on its way it does nothing. It is not `disabled` then, because a
 * disabled button loses the focus, and whoever works with the keyboard their place.
 */
export function SubmitButton({
  busy,
  className = 'button',
  ...button
}: ComponentProps<'button'> & { busy: boolean }) {
  const wait = (event: MouseEvent) => event.preventDefault()
  return (
    <button
      className={className}
      {...button}
      type="submit"
      {...(busy ? { 'aria-disabled': true, onClick: wait } : {})}
    />
  )
}
