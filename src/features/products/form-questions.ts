import { fieldErrors } from '#contract'
import { type ControlText, linesIn } from './control-text.ts'
import {
  ANSWER_LENGTH,
  MAX_QUESTIONS,
  NewQuestion,
  NewQuestions,
  type Question,
} from './questions-contract.ts'

// The questions of a listing as the controls of its form have them: texts, in as many blocks as there can be questions.

/** Names of the controls of a block. @param n from 1 */
export const controlsOf = (n: number) => ({
  title: `question_${n}`,
  instructions: `question_${n}_instructions`,
  required: `question_${n}_required`,
  max_length: `question_${n}_length`,
  options: `question_${n}_options`,
})
/** The numbers of the blocks. */
export const BLOCKS = Array.from({ length: MAX_QUESTIONS }, (_, index) => index + 1)
/** Every control. */
export const QUESTION_CONTROLS = BLOCKS.flatMap(n => Object.values(controlsOf(n)))

/** The block of a form; undefined if nothing is typed in it. */
function questionIn(typed: ControlText, n: number): NewQuestions[number] | undefined {
  const controls = controlsOf(n)
  const text = (name: keyof typeof controls) => (typed(controls[name]) ?? '').trim()
  const options = linesIn(text('options'))
  const [title, instructions, length] = [text('title'), text('instructions'), text('max_length')]
  if (title === '' && instructions === '' && length === '' && options.length === 0) return undefined
  return {
    title,
    instructions,
    required: text('required') === 'yes',
    ...(options.length > 0 ? { options } : { max_length: length === '' ? ANSWER_LENGTH : Number(length) }),
  }
}

/** Questions from the texts of a form, as the API takes them. Undefined: the form does not ask for them. */
export function questionsOf(typed: ControlText): NewQuestions | undefined {
  if (typed(controlsOf(1).title) === undefined) return undefined
  return BLOCKS.map(n => questionIn(typed, n)).filter(question => question !== undefined)
}

/** Control → message, for what is wrong in the blocks. */
export function validateQuestions(typed: ControlText): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const n of BLOCKS) {
    const question = questionIn(typed, n)
    const broken = question ? fieldErrors(NewQuestion, question) : undefined
    const controls: Record<string, string> = controlsOf(n)
    for (const [field, message] of Object.entries(broken ?? {}))
      errors[controls[field] ?? controlsOf(n).title] ??= message
  }
  const all = fieldErrors(NewQuestions, questionsOf(typed) ?? [])?.server
  if (all !== undefined && Object.keys(errors).length === 0) errors[lastOf(typed)] = all
  return errors
}

/** The title in the last block that is filled. */
const lastOf = (typed: ControlText): string =>
  controlsOf(BLOCKS.findLast(n => questionIn(typed, n) !== undefined) ?? 1).title

/** The texts of the controls. */
export const questionTexts = (questions: Question[]): Record<string, string> =>
  Object.fromEntries(
    BLOCKS.flatMap(n => {
      const { title = '', instructions = '', required, max_length, options = [] } = questions[n - 1] ?? {}
      const controls = controlsOf(n)
      return [
        [controls.title, title],
        [controls.instructions, instructions],
        [controls.required, required ? 'yes' : ''],
        [controls.max_length, String(max_length ?? '')],
        [controls.options, options.join('\n')],
      ]
    }),
  )
