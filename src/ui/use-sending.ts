import { useState } from 'react'
import { useActionData, useNavigation } from 'react-router'

/**
 * Whether a form of the page is being sent: until its result is here, or until the page that it leads to has loaded. Not
 * while a link loads its page, or while this page loads its data again after a result: then a form can be sent.
 * @param options `needsNewVersion`: whether the form waits for that data too, because it is sent with a version of it; with
 *   the old one it would be refused again
 */
export function useSending({ needsNewVersion = false } = {}): boolean {
  const { formData, formMethod, state } = useNavigation()
  const result = useActionData()
  const [last, setLast] = useState({ formData, result, before: result })
  // The result that the page had before this submission. A result may come so soon that both are rendered at once.
  const before = formData === last.formData ? last.before : last.result
  if (formData !== last.formData || result !== last.result) setLast({ formData, result, before })
  const hasResult = state === 'loading' && result !== before && !needsNewVersion
  return formMethod === 'POST' && !hasResult
}
