import { type ComponentProps, type MouseEvent, useContext } from 'react'
import { UNSAFE_DataRouterContext as RouterContext } from 'react-router'

/** Submits once: ignores clicks while the form is sent. Not `disabled`, which would lose the focus. */
export function SubmitButton({
  busy,
  className = 'button',
  ...button
}: ComponentProps<'button'> & { busy: boolean }) {
  const router = useContext(RouterContext)?.router
  // The router knows of a submission before React renders it: the second half of a double click stops there.
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
