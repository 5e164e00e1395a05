import { type RefObject, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Answer } from '#products/questions-contract.ts'
import { chosenCombination } from '#products/variation-text.ts'
import type { Variations } from '#products/variations-contract.ts'
import { answersIn } from './answerForm.ts'

/** For a link or a search that changes the photo of the gallery. */
export const IN_PLACE = { replace: true, preventScrollReset: true }

/**
 * The answers of a form while they are chosen; the gallery shows the photo of the chosen combination. Empty before
 * the scripts are there, and for a listing without variations.
 */
export function useChosenAnswers(
  { variations, combinations }: Variations,
  form: RefObject<HTMLFormElement | null>,
): Answer[] {
  const [answers, setAnswers] = useState<Answer[]>([])
  const [, setSearch] = useSearchParams()
  const shown = useRef<number>(undefined)
  useEffect(() => {
    const { current } = form
    if (!current || variations.length === 0) return
    const changed = () => {
      const chosen = answersIn(new FormData(current))
      setAnswers(chosen)
      const found = chosenCombination(variations, combinations, chosen)
      // Not again when something else of the form changes.
      if (found?.id === shown.current) return
      shown.current = found?.id
      const { photo } = found ?? {}
      if (photo)
        setSearch(search => {
          search.set('photo', String(photo))
          return search
        }, IN_PLACE)
    }
    // Chosen before the scripts were there.
    changed()
    current.addEventListener('change', changed)
    return () => current.removeEventListener('change', changed)
  }, [form, variations, combinations, setSearch])
  return answers
}
