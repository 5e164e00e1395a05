import { dollars } from '#money'
import { combinationName } from './combination-name.ts'
import type { Answer, Question } from './questions-contract.ts'
import type { Variations } from './variations-contract.ts'

// How a shopper chooses among the variations of a listing, and what they read of it. Server and browser use it.

/** Variations as the questions that a shopper answers. */
export const variationQuestions = (variations: Variations['variations']): Question[] =>
  variations.map(({ title, options }) => ({ title, instructions: '', required: true, options }))

/** Everything that a shopper answers about a listing: the choice of its variations first. */
export const shopperQuestions = ({
  variations,
  questions,
}: {
  variations: Variations
  questions: Question[]
}): Question[] => [...variationQuestions(variations.variations), ...questions]

/** The options that answers choose: undefined where one is not chosen. */
const optionsChosen = (variations: { title: string }[], answers: Answer[]): (string | undefined)[] =>
  variations.map(({ title }) => answers.find(({ question }) => question === title)?.answer)

/** The combination that answers choose; undefined where it is not made, or not chosen. */
export function chosenCombination<C extends { options: string[] }>(
  variations: { title: string }[],
  combinations: C[],
  answers: Answer[],
): C | undefined {
  const chosen = optionsChosen(variations, answers)
  return combinations.find(({ options }) => options.every((option, n) => option === chosen[n]))
}

/** Whether combinations have different prices. */
export const hasPrices = ({ combinations }: Variations): boolean =>
  new Set(combinations.map(({ price }) => price)).size > 1

/**
 * An option as a shopper chooses it: with its price, if there is one variation, and whether it is sold out.
 * @param at index of its variation
 */
export function optionWords(
  variations: Variations,
  at: number,
  option: string,
): { words: string; soldOut: boolean } {
  const of = variations.combinations.filter(({ options }) => options[at] === option)
  const soldOut = of.every(({ stock }) => stock === 0)
  const [only] = variations.variations.length === 1 ? of : []
  const priced = only && hasPrices(variations) ? ` – ${dollars(only.price)}` : ''
  return { words: `${option}${priced}${soldOut ? ' – sold out' : ''}`, soldOut }
}

/** Price and stock of the chosen combination, as text. Undefined until each variation is chosen. */
export function chosenWords({ variations, combinations }: Variations, answers: Answer[]): string | undefined {
  const chosen = optionsChosen(variations, answers)
  if (chosen.length === 0 || chosen.includes(undefined)) return undefined
  const found = chosenCombination(variations, combinations, answers)
  const name = chosen.join(', ')
  if (!found) return `${name} is not made. Please choose another combination`
  if (found.stock === 0) return `${name} is sold out`
  return `${name}: ${dollars(found.price)}${found.stock <= 3 ? `, only ${found.stock} left` : ''}`
}

/** Message for a line above the stock. @param options of its combination; none: the listing as a whole */
export function shortOf(name: string, options: string[] | null | undefined, stock: number): string {
  const piece = options?.length ? `${name} (${combinationName(options)})` : name
  return stock === 0 ? `${piece} is sold out` : `Only ${stock} of ${piece} left in stock`
}
