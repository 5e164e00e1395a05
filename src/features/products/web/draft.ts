import { type RefObject, useEffect, useState } from 'react'
import { useActionData, useLocation } from 'react-router'
import { useUser } from '#accounts/web/session.ts'
import { isChanged } from '#ui/fields.tsx'

/** Forms that were left before they were saved, by their person and history entry. Gone with the document. */
const drafts = new Map<string, FormData>()

let saved = false
/** What stands in the open form is saved now: leaving it loses nothing. */
export function draftSaved(): void {
  if (!import.meta.env.SSR) saved = true
}

/**
 * The React key of a form with a draft. Each history entry has a form of its own, also where Back leads from one form
 * directly to another. Only a refused attempt, which gives the entry a new key, goes on in the same form.
 */
export function useFormKey(): string {
  const { key: entry } = useLocation()
  const refused = useActionData() !== undefined
  const [shown, setShown] = useState({ entry, form: entry })
  if (shown.entry !== entry) setShown({ entry, form: refused ? shown.form : entry })
  return shown.form
}

/**
 * Leaving a form by a link costs nothing that was typed: Back finds it again, with its photo. A closed tab would lose it,
 * so that the browser asks first.
 * @param refused whether the form came back and what stands in it is not saved
 * @returns what stood in the form when it was left, undefined where it opens anew
 */
export function useDraft(form: RefObject<HTMLFormElement | null>, refused: boolean): FormData | undefined {
  const { key } = useLocation()
  const user = useUser()
  // A session that ends meanwhile makes it nobody else's form, and an attempt to send it changes the entry's key.
  const [owner] = useState(user?.id)
  const [draft] = useState(() => drafts.get(`${owner} ${key}`))
  useEffect(() => {
    saved = false
    const input = form.current?.elements.namedItem('image')
    const file = draft?.get('image')
    if (!(input instanceof HTMLInputElement && file instanceof File && file.name)) return
    const transfer = new DataTransfer()
    transfer.items.add(file)
    input.files = transfer.files
  }, [form, draft])
  useEffect(() => {
    const element = form.current
    if (!element) return
    const isUnsaved = () =>
      !saved && (refused || draft !== undefined || [...element.elements].some(isChanged))
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnsaved()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => {
      removeEventListener('beforeunload', ask)
      if (isUnsaved()) drafts.set(`${owner} ${key}`, new FormData(element))
      else drafts.delete(`${owner} ${key}`)
    }
  }, [form, draft, refused, owner, key])
  return draft
}
