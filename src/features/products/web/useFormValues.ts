import { type RefObject, useEffect, useState } from 'react'
import { photosIn } from '#images/web/photo-fields.ts'

/** Values of the form that the preview shows. */
export interface FormValues {
  name: string
  price: string
  stock: string
  files?: File[]
  /** The key of the first photo that is not removed: an id, or the number of a file. */
  cover?: string | undefined
}

/** Follows the values of a form, including those from before hydration. */
export function useFormValues(form: RefObject<HTMLFormElement | null>, first: FormValues): FormValues {
  const [typed, setTyped] = useState(first)
  useEffect(() => {
    const element = form.current
    if (!element) return
    const update = () => setTyped(typedIn(element))
    update()
    element.addEventListener('input', update)
    return () => element.removeEventListener('input', update)
  }, [form])
  return typed
}

function typedIn(form: HTMLFormElement): FormValues {
  const control = (name: string) => form.elements.namedItem(name) as HTMLInputElement
  return {
    name: control('name').value,
    price: control('price').value,
    stock: control('stock').value,
    files: [...(control('image').files ?? [])],
    cover: photosIn(new FormData(form) as Iterable<[string, unknown]>).find(({ removed }) => !removed)?.key,
  }
}
