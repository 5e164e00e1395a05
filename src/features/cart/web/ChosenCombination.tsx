import { Link, useLocation } from 'react-router'
import { dollars } from '#money'
import { combinationName } from '#products/combination-name.ts'
import type { Answer } from '#products/questions-contract.ts'
import { chosenWords, hasPrices } from '#products/variation-text.ts'
import type { Variations } from '#products/variations-contract.ts'
import { photoAt } from '#products/web/photo-query.ts'
import { IN_PLACE } from './useChosenAnswers.ts'

interface Props {
  variations: Variations
  /** What is chosen so far. */
  answers: Answer[]
}

/**
 * Price and stock of the chosen combination, and of all of them, which needs no scripts. With one variation and no photos its
 * options say everything: nothing is shown.
 */
export function ChosenCombination({ variations, answers }: Props) {
  const { search } = useLocation()
  const isNeeded = variations.variations.length > 1 || variations.combinations.some(({ photo }) => photo)
  if (!isNeeded) return null
  return (
    <div className="combinations">
      <p className="chosen-combination" role="status">
        {chosenWords(variations, answers)}
      </p>
      <details>
        <summary>{hasPrices(variations) ? 'Prices of all combinations' : 'All combinations'}</summary>
        <ul>
          {variations.combinations.map(({ id, options, price, stock, photo }) => (
            <li key={id} dir="auto">
              {`${combinationName(options)}: ${stock === 0 ? 'sold out' : dollars(price)} `}
              {photo !== null && (
                <Link
                  to={photoAt(search, photo)}
                  aria-label={`Photo of ${combinationName(options)}`}
                  {...IN_PLACE}
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
