import { useState } from 'react'
import { useActionData, useNavigation } from 'react-router'

/**
 * The data that the fields of a form were filled from: as loaded when the form was opened, or when it was sent last. Its
 * version is sent with the form (optimistic locking). Data that is loaded later, such as for a page from the back-forward
 * cache, does not change the fields, so its version must not be sent with them.
 * @param form names the form: with another name, the fields are filled anew
 */
export function useFormBase<T>(loaded: T, form = ''): T {
  const result = useActionData()
  const isSending = useNavigation().formMethod === 'POST'
  const [base, setBase] = useState({ loaded, result, isSending, form })
  const hasResult = result !== undefined && base.result !== result
  const isNew = base.form !== form || hasResult || (base.isSending && !isSending)
  const now = isNew ? loaded : base.loaded
  if (isNew || base.isSending !== isSending) setBase({ loaded: now, result, isSending, form })
  return now
}
