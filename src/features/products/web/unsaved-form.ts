import { type RefObject, useEffect, useState } from 'react'
import { useActionData, useLocation } from 'react-router'
import { useUser } from '#accounts/web/session.ts'
import { photosOf } from '#images/web/upload.ts'
import { isChanged } from '#ui/is-changed.ts'

/** Unsaved forms by user, path and history entry. Lost with the document. */
const unsavedForms = new Map<string, FormData>()

let saved = false
/** The open form was saved: leaving it loses nothing, until something is typed. */
export function markFormSaved(): void {
  if (!import.meta.env.SSR) saved = true
}

/**
 * React key of a listing form. Each history entry has its own form, also if Back leads from one form to
 * another. A refused attempt, or a link to a place of the page ("Skip to content"), changes the entry but stays in the same
 * form.
 */
export function useFormKey(): string {
  const { key: entry, pathname, hash } = useLocation()
  const refused = useActionData() !== undefined
  const [shown, setShown] = useState({ entry, pathname, form: entry })
  if (shown.entry !== entry) {
    const isSame = refused || (hash !== '' && pathname === shown.pathname)
    setShown({ entry, pathname, form: isSame ? shown.form : entry })
  }
  return shown.form
}

/**
 * Keeps a form that is left by a link: Back restores it, with its photos. Closing the tab would lose it, so the
 * browser asks.
 * @param refused whether the form was refused, so that its values are unsaved
 * @returns the values it was left with, undefined for a new form
 */
export function useUnsavedForm(
  form: RefObject<HTMLFormElement | null>,
  refused: boolean,
): FormData | undefined {
  const { key: entry, pathname } = useLocation()
  // A link to a place of the page has no key of its own.
  const key = `${pathname} ${entry}`
  const user = useUser()
  // The owner and entry at first: a session may end, and a submission changes the entry's key.
  const [owner] = useState(user?.id)
  const [left] = useState(() => unsavedForms.get(`${owner} ${key}`))
  useEffect(() => {
    saved = false
    const input = form.current?.elements.namedItem('image')
    const files = left ? photosOf(left) : []
    if (!(input instanceof HTMLInputElement) || files.length === 0) return
    const transfer = new DataTransfer()
    for (const file of files) transfer.items.add(file)
    input.files = transfer.files
  }, [form, left])
  useEffect(() => {
    const element = form.current
    if (!element) return
    const isUnsaved = () => !saved && (refused || left !== undefined || [...element.elements].some(isChanged))
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnsaved()) event.preventDefault()
    }
    const markUnsaved = () => {
      saved = false
    }
    addEventListener('beforeunload', ask)
    element.addEventListener('input', markUnsaved)
    return () => {
      element.removeEventListener('input', markUnsaved)
      removeEventListener('beforeunload', ask)
      if (isUnsaved()) unsavedForms.set(`${owner} ${key}`, new FormData(element))
      else unsavedForms.delete(`${owner} ${key}`)
    }
  }, [form, left, refused, owner, key])
  return left
}
