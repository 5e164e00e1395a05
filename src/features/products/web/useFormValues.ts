import { type RefObject, useEffect, useState } from 'react'
import { photosIn } from '#images/web/photo-fields.ts'
import { twoDecimals } from '#money'
import { typedVariations } from '../form-variations.ts'
import { textsOf } from './parseListing.ts'

/** Values of the form that the preview shows. With rows of combinations: their lowest price, and the sum of their stock. */
export interface FormValues {
  name: string
  price: string
  price_varies: boolean
  stock: string
  /** Whether there are rows of combinations. */
  is_varied: boolean
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
    const update = () => setTyped(valuesOf(element))
    update()
    element.addEventListener('input', update)
    return () => element.removeEventListener('input', update)
  }, [form])
  return typed
}

function valuesOf(form: HTMLFormElement): FormValues {
  const control = (name: string) => form.elements.namedItem(name) as HTMLInputElement
  const texts = textsOf(new FormData(form))
  const { combinations = [] } = typedVariations(name => texts[name]) ?? {}
  const prices = combinations.map(({ price }) => price).filter(Number.isFinite)
  const ofCombinations = {
    price: twoDecimals(Math.min(...prices)),
    price_varies: new Set(prices).size > 1,
    stock: String(combinations.reduce((sum, { stock }) => sum + stock, 0)),
  }
  return {
    name: control('name').value,
    price: control('price').value,
    price_varies: false,
    stock: control('stock').value,
    is_varied: combinations.length > 0,
    ...(combinations.length > 0 ? ofCombinations : {}),
    files: [...(control('image').files ?? [])],
    cover: photosIn(new FormData(form) as Iterable<[string, unknown]>).find(({ removed }) => !removed)?.key,
  }
}
