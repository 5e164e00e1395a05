import type { FieldErrors } from '#problem'
import { CONTROL, lengthOf } from '#text'
import type { Answer, Question } from './questions-contract.ts'

// Validates and normalizes answers to the questions of a listing. Without schemas, which the page of a listing does
// not need.

/** Answers as they are stored: trimmed, in the order of the questions, without empty ones. */
export function writtenAnswers(questions: Question[], answers: Answer[]): Answer[] {
  const place = ({ question }: Answer) => questions.findIndex(({ title }) => title === question)
  return answers
    .map(({ question, answer }) => ({ question, answer: answer.trim() }))
    .filter(({ answer }) => answer !== '')
    .sort((a, b) => place(a) - place(b))
}

/** Messages for answers that do not fit the questions of a listing, by question. Undefined if all fit. */
export function refusedAnswers(questions: Question[], answers: Answer[]): FieldErrors | undefined {
  const written = writtenAnswers(questions, answers)
  // Without a prototype: a question may be called “constructor”.
  const errors: FieldErrors = Object.create(null)
  for (const question of questions) {
    const [given, ...others] = written.filter(answer => answer.question === question.title)
    const error = others.length > 0 ? TWICE(question) : refusedAnswer(question, given?.answer)
    if (error !== undefined) errors[question.title] = error
  }
  const unknown = written.find(({ question }) => questions.every(({ title }) => title !== question))
  if (unknown) errors[unknown.question] ??= NOT_ASKED
  return Object.keys(errors).length > 0 ? errors : undefined
}

const NOT_ASKED = 'The maker does not ask this any more: please load the page again'
const TWICE = ({ title }: Question) => `Please answer “${title}” once`

function refusedAnswer({ title, required, max_length, options }: Question, answer: string | undefined) {
  if (answer === undefined) return required ? `Please answer “${title}”` : undefined
  if (options) return options.includes(answer) ? undefined : `Please choose one of the options of “${title}”`
  if (max_length !== undefined && lengthOf(answer) > max_length)
    return `The answer to “${title}” cannot be more than ${max_length} characters`
  if (CONTROL.test(answer) || !answer.isWellFormed())
    return `The answer to “${title}” contains characters that cannot be stored`
  return undefined
}

/**
 * The refusal of a cart line whose listing has changed: other questions, or variations added or removed. Undefined if
 * the line still fits.
 */
export const changedQuestions = (
  name: string,
  { questions, is_varied }: { questions: Question[]; is_varied: boolean },
  { answers, variant_id }: { answers: Answer[]; variant_id?: number | null },
): string | undefined =>
  is_varied !== Boolean(variant_id) || refusedAnswers(questions, answers)
    ? `The maker has changed what they ask about ${name}. Remove it, and add it again on its page`
    : undefined

/** Answers in one line: 'Name: Ana; Colour: Red'. */
export const answersText = (answers: Answer[]): string =>
  answers.map(({ question, answer }) => `${question}: ${answer}`).join('; ')

/** 'Speckled mug', or 'Speckled mug (Name: Ana)'. */
export const pieceWords = ({ name, answers }: { name: string; answers?: Answer[] | undefined }): string =>
  answers ? `${name} (${answersText(answers)})` : name
