import { type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { dollars } from '#money'
import { combinationName } from '#products/combination-name.ts'
import { chosenCombination, chosenWords, hasPrices } from '#products/variation-words.ts'
import type { Variations } from '#products/variations-contract.ts'
import { answersIn } from './answerForm.ts'

interface Props {
  variations: Variations
  /** The form in which they are chosen. */
  form: RefObject<HTMLFormElement | null>
}

/**
 * Price and stock of the chosen combination, and of all of them, which needs no scripts. The gallery shows the photo of the chosen
 * one. With one variation and no photos its options say everything: nothing is shown.
 */
export function ChosenCombination({ variations, form }: Props) {
  const isNeeded = variations.variations.length > 1 || variations.combinations.some(({ photo }) => photo)
  const words = useChosenWords(variations, form, isNeeded)
  if (!isNeeded) return null
  return (
    <div className="combinations">
      <p className="chosen-combination" role="status">
        {words}
      </p>
      <details>
        <summary>{hasPrices(variations) ? 'Prices of all combinations' : 'All combinations'}</summary>
        <ul>
          {variations.combinations.map(({ id, options, price, stock, photo }) => (
            <li key={id} dir="auto">
              {`${combinationName(options)}: ${stock === 0 ? 'sold out' : dollars(price)} `}
              {photo !== null && (
                <Link
                  to={photoAddress(photo)}
                  aria-label={`Photo of ${combinationName(options)}`}
                  {...inPlace}
                >
                  photo
                </Link>
              )}
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}

/** The address of a photo of the listing, which its gallery shows. */
const photoAddress = (photo: number) => `?photo=${photo}`
const inPlace = { replace: true, preventScrollReset: true }

function useChosenWords(variations: Variations, form: Props['form'], isNeeded: boolean): string | undefined {
  const [answers, setAnswers] = useState(() => answersIn(new FormData()))
  const [, setSearch] = useSearchParams()
  const shown = useRef<number>(undefined)
  useEffect(() => {
    const { current } = form
    if (!current || !isNeeded) return
    const read = () => {
      const chosen = answersIn(new FormData(current))
      setAnswers(chosen)
      return chosen
    }
    const changed = () => {
      const found = chosenCombination(variations.variations, variations.combinations, read())
      // Not again when something else of the form changes.
      if (found?.id === shown.current) return
      shown.current = found?.id
      const { photo } = found ?? {}
      if (photo)
        setSearch(search => {
          search.set('photo', String(photo))
          return search
        }, inPlace)
    }
    // Chosen before the scripts were there.
    changed()
    current.addEventListener('change', changed)
    return () => current.removeEventListener('change', changed)
  }, [form, isNeeded, variations, setSearch])
  return chosenWords(variations, answers)
}
