import type { Answer } from '#products/questions-contract.ts'

/** Name of the hidden fields with the titles of the questions, in their order. */
export const QUESTION = 'question'
/** Field name of an answer. @param n index of its question */
export const answerOf = (n: number): string => `answer-${n}`

/** The answers of a form, without those that are left empty. */
export const answersIn = (form: FormData): Answer[] =>
  form
    .getAll(QUESTION)
    .map((question, n) => ({
      question: String(question),
      answer: String(form.get(answerOf(n)) ?? '').trim(),
    }))
    .filter(({ answer }) => answer !== '')

/** Answers for a body: nothing without any. */
export const inBody = (answers: Answer[] | undefined): { answers?: Answer[] } =>
  answers && answers.length > 0 ? { answers } : {}

/**
 * Longer answers are not put into an address, characters as it encodes them. The address of the login encodes them once more:
 * with twice as many it stays below 8 KB, which proxies accept.
 */
const MAX_IN_ADDRESS = 2_500

/** Answers as a text for an address: '' without any, undefined if they are too long for one. */
export function writeAnswers(answers: Answer[] | undefined): string | undefined {
  if (!answers || answers.length === 0) return ''
  const text = JSON.stringify(answers)
  return encodeURIComponent(text).length > MAX_IN_ADDRESS ? undefined : text
}

/** What `writeAnswers` wrote; the API checks it. */
export function readAnswers(text: string): Answer[] {
  if (text === '') return []
  try {
    const answers: unknown = JSON.parse(text)
    return Array.isArray(answers) ? (answers as Answer[]) : []
  } catch {
    return []
  }
}
