import { useState } from 'react'
import { useActionData, useLocation } from 'react-router'

/**
 * The data that the fields of a form were filled from: as loaded when the page was opened, or when its form was sent last. Its
 * version is sent with the form (optimistic locking). Data that is loaded later, such as for a page from the back-forward
 * cache, does not change the fields, so its version must not be sent with them.
 */
export function useFormBase<T>(loaded: T): T {
  const result = useActionData()
  const { key } = useLocation()
  const [base, setBase] = useState({ loaded, result, key })
  if (base.result === result && base.key === key) return base.loaded
  setBase({ loaded, result, key })
  return loaded
}
