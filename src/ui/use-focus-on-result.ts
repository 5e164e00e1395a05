import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useHydrated } from './use-hydrated.ts'

/**
 * Focuses an element whenever the result of a form changes: the button that was pressed may be gone. In a layout
 * effect: later, the focus would be taken from where a quick hand has moved it since the result appeared. For the same
 * reason, in a document that has just been hydrated, a link, button or field that has the focus keeps it.
 * @param result undefined or false: nothing to tell
 * @param from `buttons`: a field keeps the focus, for a form that stays and may be typed in while it is sent
 * @returns the ref of the element, which needs `tabIndex={-1}`
 */
export function useFocusOnResult<E extends HTMLElement>(
  result: unknown,
  from: 'everywhere' | 'buttons' = 'everywhere',
): RefObject<E | null> {
  const element = useRef<E>(null)
  const isHydrating = useRef(!useHydrated())
  useLayoutEffect(() => {
    const { activeElement } = document
    const isTyping = from === 'buttons' && activeElement?.matches('input, textarea, select')
    const hasMoved = isHydrating.current && !activeElement?.matches('body, [autofocus]')
    isHydrating.current = false
    if (result && !isTyping && !hasMoved) element.current?.focus()
  }, [result, from])
  return element
}
