import { type RefObject, useEffect, useState } from 'react'
import { dollars } from '#money'
import { chosenWords, hasPrices } from '#products/variation-words.ts'
import { combinationName, type Variations } from '#products/variations-contract.ts'
import { answersIn } from './answerForm.ts'

interface Props {
  variations: Variations
  /** The form in which they are chosen. */
  form: RefObject<HTMLFormElement | null>
}

/** Price and stock of the chosen combination, and of all of them, which needs no scripts. Nothing without two variations. */
export function ChosenCombination({ variations, form }: Props) {
  const isNeeded = variations.variations.length > 1
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
          {variations.combinations.map(({ id, options, price, stock }) => (
            <li key={id} dir="auto">
              {`${combinationName(options)}: ${stock === 0 ? 'sold out' : dollars(price)}`}
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function useChosenWords(variations: Variations, form: Props['form'], isNeeded: boolean): string | undefined {
  const [answers, setAnswers] = useState(() => answersIn(new FormData()))
  useEffect(() => {
    const { current } = form
    if (!current || !isNeeded) return
    const read = () => setAnswers(answersIn(new FormData(current)))
    read()
    current.addEventListener('change', read)
    return () => current.removeEventListener('change', read)
  }, [form, isNeeded])
  return chosenWords(variations, answers)
}
