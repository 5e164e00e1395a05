import { type ComponentProps, type MouseEvent, useContext } from 'react'
import { UNSAFE_DataRouterContext as RouterContext, useNavigation } from 'react-router'

/** Whether two submissions are of one form: the same intent, and the same names of fields. */
const isSame = (one: FormData, other: FormData) =>
  one.get('intent') === other.get('intent') && namesIn(one) === namesIn(other)
const namesIn = (data: FormData) => [...new Set(data.keys())].sort().join()

/**
 * Ignores a click while the same form is being sent. Not `disabled`: a disabled button loses the focus.
 * @param busy whether the form is being sent, as React has rendered it
 */
export function SubmitButton({
  busy,
  className = 'button',
  ...button
}: ComponentProps<'button'> & { busy: boolean }) {
  const router = useContext(RouterContext)?.router
  const rendered = useNavigation().formData
  // The router knows of a submission before React renders it: the second half of a double click stops there.
  const ignoreRepeated = (event: MouseEvent<HTMLButtonElement>) => {
    const { navigation, fetchers } = router?.state ?? {}
    // Submissions without a result. The router keeps their forms while the page loads its data after it: then `busy`
    // tells, so that a refused form can be sent again meanwhile.
    const unrendered = navigation?.formData === rendered ? [] : [navigation]
    const fetching = [...(fetchers?.values() ?? [])].filter(({ state }) => state === 'submitting')
    const { form, name, value } = event.currentTarget
    const own = new FormData(form ?? undefined)
    if (name) own.append(name, value)
    const action = form?.action.split('?')[0]
    const isBeingSent = [...unrendered, ...fetching].some(
      each =>
        each?.formData &&
        new URL(each.formAction ?? '', location.href).href.split('?')[0] === action &&
        isSame(each.formData, own) &&
        each.formData.get(name) === own.get(name),
    )
    if (busy || isBeingSent) event.preventDefault()
  }
  return (
    <button
      className={className}
      {...button}
      type="submit"
      aria-disabled={busy || undefined}
      onClick={ignoreRepeated}
    />
  )
}
