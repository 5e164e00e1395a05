import { type RefObject, useEffect, useRef, useState } from 'react'
import { isChanged } from '#ui/fields.tsx'
import { rowPrice, withNewRows } from '../new-rows.ts'
import { rowControls, rowsOf, VARIATION_CONTROLS } from '../typed-variations.ts'
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
  const shown = withNewRows(useTyped(element, given) ?? given)
  const names = rowsOf(name => shown[name]).map(n => shown[rowControls(n).options] ?? '')
  return { names, texts: { ...given, ...rowTexts(shown, given) } }
}

/** What each row begins with: the texts that the form was filled from; for a new combination those that it was given. */
function rowTexts(shown: Texts, given: Texts): Texts {
  const before = new Map(rowsOf(name => given[name]).map(n => [given[rowControls(n).options], n]))
  return Object.fromEntries(
    rowsOf(name => shown[name]).flatMap(n => {
      const own = rowControls(n)
      const former = before.get(shown[own.options])
      const from = former === undefined ? own : rowControls(former)
      const texts = former === undefined ? shown : given
      return (Object.keys(own) as (keyof typeof own)[]).map(part => [own[part], texts[from[part]] ?? ''])
    }),
  )
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
    let last = asNew(first.current, first.current)
    const read = () => {
      last = following(asNew(textsIn(new FormData(form)), first.current), last)
      setTyped(last)
    }
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
  // The preview, and messages about a form that was refused before, follow.
  useEffect(() => {
    if (typed) element.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [element, typed])
  return typed
}

/** Rows follow the price and the stock of the listing until they have others. @param before the texts at the last pause */
function following(texts: Texts, before: Texts): Texts {
  const followed = rowsOf(name => texts[name]).flatMap(n => {
    const { price, stock, stock_shown } = rowControls(n)
    if (texts[stock_shown] !== '') return []
    return [
      ...(texts[price] === rowPrice(before.price) ? [[price, rowPrice(texts.price)]] : []),
      ...(texts[stock] === before.stock ? [[stock, texts.stock]] : []),
    ]
  })
  return { ...texts, ...Object.fromEntries(followed) }
}

/** Where combinations are for sale already, new ones begin with stock 0, also after all were taken away for a moment. */
function asNew(texts: Texts, first: Texts): Texts {
  const isForSale = rowsOf(name => first[name]).some(n => first[rowControls(n).stock_shown] !== '')
  return isForSale ? { ...texts, stock: '0' } : texts
}
