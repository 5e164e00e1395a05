import type { FieldErrors } from '#problem'
import type { Answer, Question } from '#products/questions-contract.ts'
import { optionWords } from '#products/variation-text.ts'
import type { Variations } from '#products/variations-contract.ts'
import { SelectField, TextField } from '#ui/fields.tsx'
import { answerOf, QUESTION } from './answerForm.ts'

interface Props {
  questions: Question[]
  /** The first questions are the choice of these. */
  variations: Variations
  /** As typed before, without scripts. */
  typed: Answer[] | undefined
  /** By the title of the question. */
  errors: FieldErrors
}

/** The choice of variations, and what the maker asks the shopper of a listing. */
export const AnswerFields = ({ questions, variations, typed = [], errors }: Props) => (
  <div className="answer-fields">
    {questions.map(({ title, instructions, required, max_length, options }, n) => {
      const field = {
        label: required ? title : `${title} (optional)`,
        name: answerOf(n),
        // A question may be called “constructor”.
        error: Object.hasOwn(errors, title) ? errors[title] : undefined,
        hint: instructions || undefined,
        defaultValue: typed.find(({ question }) => question === title)?.answer ?? '',
        dir: 'auto',
      }
      return (
        <div key={title}>
          <input type="hidden" name={QUESTION} value={title} />
          {options ? (
            <SelectField {...field}>
              <option value="">{required ? 'Choose one' : 'None'}</option>
              {options.map(option => (
                <Option key={option} option={option} variations={variations} at={n} />
              ))}
            </SelectField>
          ) : (
            <TextField limit={max_length} autoComplete="off" {...field} />
          )}
        </div>
      )
    })}
  </div>
)

/** An option; of a variation it says its price, and that it is sold out. */
function Option({ option, variations, at }: { option: string; variations: Variations; at: number }) {
  if (at >= variations.variations.length) return <option value={option}>{option}</option>
  const { words, soldOut } = optionWords(variations, at, option)
  return (
    <option value={option} disabled={soldOut}>
      {words}
    </option>
  )
}
