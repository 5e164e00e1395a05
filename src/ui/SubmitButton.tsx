import { type ComponentProps, type MouseEvent, useContext } from 'react'
import { UNSAFE_DataRouterContext as RouterContext } from 'react-router'

/**
 * Sends its form once: while the answer is on its way it does nothing. It is not `disabled` then, because a
 * disabled button loses the focus, and whoever works with the keyboard their place.
 */
export function SubmitButton({
  busy,
  className = 'button',
  ...button
}: ComponentProps<'button'> & { busy: boolean }) {
  const router = useContext(RouterContext)?.router
  // The router knows of a submission before the page has drawn it: the second half of a double click asks there.
  const once = (event: MouseEvent<HTMLButtonElement>) => {
    const { navigation, fetchers } = router?.state ?? {}
    const under = [navigation, ...(fetchers?.values() ?? [])].filter(each => each?.formData)
    const action = event.currentTarget.form?.action.split('?')[0]
    const mine = under.some(
      each => each?.formAction && new URL(each.formAction, location.href).href.split('?')[0] === action,
    )
    if (busy || mine) event.preventDefault()
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
