import { type RefObject, useEffect, useRef, useState } from 'react'
import { isChanged } from '#ui/is-changed.ts'
import { VARIATION_CONTROLS } from '../form-variations.ts'
import { withNewRows } from '../new-rows.ts'
import { FOLLOWED, isFollowing, rowControls, rowsOf } from '../row-controls.ts'
import { textsIn } from './useAutosave.ts'

/** So long after the last key in a variation its combinations get rows, ms. */
const PAUSE_MS = 500

type Texts = Record<string, string>

/**
 * The rows of the combinations that a form describes, with those that are typed just now.
 * @param element something in the form
 * @param texts what the form was filled from, by control
 * @returns the names of the rows, and what each control begins with
 */
export function useCombinationRows(
  element: RefObject<HTMLElement | null>,
  texts: Texts,
): { names: string[]; texts: Texts } {
  const given = withNewRows(texts)
  const typed = useTyped(element, given)
  const shown = withNewRows(typed ?? given)
  useEffect(() => {
    const form = element.current?.closest('form')
    if (!typed || !form) return
    showFollowed(form, withNewRows(typed))
    // The preview, and messages about a form that was refused before, follow.
    element.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [element, typed])
  const names = rowsOf(name => shown[name]).map(n => shown[rowControls(n).options] ?? '')
  return { names, texts: { ...given, ...rowTexts(shown, given) } }
}

/** Rows that follow the listing show its price and stock. React gives a text field its first value only once. */
function showFollowed(form: HTMLFormElement, texts: Texts): void {
  for (const n of rowsOf(name => texts[name]))
    for (const part of ['price', 'stock'] as const) {
      const name = rowControls(n)[part]
      const control = form.elements.namedItem(name)
      if (isFollowing(control => texts[control], n, part) && control instanceof HTMLInputElement)
        control.value = texts[name] ?? ''
    }
}

/**
 * What each row begins with: the texts that the form was filled from; for a new combination those that it was given. The
 * price and the stock of the listing, where it follows them.
 */
function rowTexts(shown: Texts, given: Texts): Texts {
  const before = new Map(rowsOf(name => given[name]).map(n => [given[rowControls(n).options], n]))
  const rows = rowsOf(name => shown[name]).flatMap(n => {
    const own = rowControls(n)
    const former = before.get(shown[own.options])
    const from = former === undefined ? own : rowControls(former)
    const isShown = (part: string) =>
      former === undefined ||
      ((part === 'price' || part === 'stock') && isFollowing(name => shown[name], n, part))
    return (Object.keys(own) as (keyof typeof own)[]).map(part => [
      own[part],
      (isShown(part) ? shown[own[part]] : given[from[part]]) ?? '',
    ])
  })
  const followed = Object.values(FOLLOWED).map(name => [name, shown[name] ?? ''])
  return Object.fromEntries([...rows, ...followed])
}

/**
 * The texts of the form after each pause in typing of what the rows follow from. Undefined: as it was filled.
 * @param given what the form was filled from
 */
function useTyped(element: RefObject<HTMLElement | null>, given: Texts): Texts | undefined {
  const [typed, setTyped] = useState<Texts>()
  const first = useRef(given)
  useEffect(() => {
    const form = element.current?.closest('form')
    if (!form) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => setTyped(asNew(textsIn(new FormData(form)), first.current))
    const isFollowed = (control: unknown) =>
      [...VARIATION_CONTROLS, 'price', 'stock'].includes((control as HTMLInputElement).name)
    const onInput = ({ target }: Event) => {
      if (!isFollowed(target)) return
      clearTimeout(timer)
      timer = setTimeout(read, PAUSE_MS)
    }
    // Typed before the scripts were there.
    if ([...form.elements].some(control => isFollowed(control) && isChanged(control))) read()
    form.addEventListener('input', onInput)
    return () => {
      clearTimeout(timer)
      form.removeEventListener('input', onInput)
    }
  }, [element])
  return typed
}

/** Where combinations are for sale already, new ones begin with stock 0, also after all were taken away for a moment. */
function asNew(texts: Texts, first: Texts): Texts {
  const isForSale = rowsOf(name => first[name]).some(n => first[rowControls(n).stock_shown] !== '')
  return isForSale ? { ...texts, stock: '0' } : texts
}
