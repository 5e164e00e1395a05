import * as z from 'zod/mini'
import { optionalText, text } from '#contract'
import { CONTROL } from '#text'

export const MAX_QUESTIONS = 5
export const QUESTION_LENGTH = 45
export const INSTRUCTIONS_LENGTH = 120
export const MAX_OPTIONS = 30
export const OPTION_LENGTH = 20
/** Most characters of a text answer. */
export const ANSWER_LENGTH = 256

/** What a maker asks the shopper of a listing. */
export const Question = z.object({
  /** Names its answers: no two questions of a listing have the same. */
  title: z.string(),
  /** '' without. */
  instructions: z.string(),
  required: z.boolean(),
  /** Most characters of a text answer. Missing: one of `options` is chosen. */
  max_length: z.optional(z.number()),
  options: z.optional(z.array(z.string())),
})
export type Question = z.infer<typeof Question>

/** A shopper's answer to the question of this title. */
export const Answer = z.object({ question: z.string(), answer: z.string() })
export type Answer = z.infer<typeof Answer>

/** A text of one line. */
export const line = (label: string, required: string, max: number) =>
  text(label, { required, max: [max, `${label} cannot be more than ${max} characters`] }).check(
    z.refine(value => !CONTROL.test(value), `${label} must be one line`),
  )

const LIMIT = `Greatest length must be a whole number from 1 to ${ANSWER_LENGTH}`
const OPTIONS = `Options must be a list of 1 to ${MAX_OPTIONS} different ones`
const KIND = 'A question has either a greatest length or options'
const QUESTIONS = `Questions must be a list of at most ${MAX_QUESTIONS}`
const SAME = 'Questions must have different titles'
const isDistinct = (texts: string[]): boolean => new Set(texts).size === texts.length

/** A question, as a maker writes it. */
export const NewQuestion = z
  .object({
    title: line('Question', 'Question is required', QUESTION_LENGTH),
    instructions: z.prefault(optionalText('Instructions', INSTRUCTIONS_LENGTH), ''),
    required: z.prefault(z.boolean('Required must be true or false'), false),
    max_length: z.optional(z.int(LIMIT).check(z.minimum(1, LIMIT), z.maximum(ANSWER_LENGTH, LIMIT))),
    options: z.optional(
      z
        .array(line('Option', 'An option must be a text', OPTION_LENGTH), OPTIONS)
        .check(z.minLength(1, OPTIONS), z.maxLength(MAX_OPTIONS, OPTIONS), z.refine(isDistinct, OPTIONS)),
    ),
  })
  .check(z.refine(({ max_length, options }) => (max_length === undefined) !== (options === undefined), KIND))

/** The questions of a listing, as its maker writes them. */
export const NewQuestions = z.array(NewQuestion, QUESTIONS).check(
  z.maxLength(MAX_QUESTIONS, QUESTIONS),
  z.refine(questions => isDistinct(questions.map(({ title }) => title)), SAME),
)
export type NewQuestions = z.infer<typeof NewQuestions>

const ANSWERS = 'Answers must be a list with a question and an answer each'
/** With the choice of two variations. */
const MAX_ANSWERS = MAX_QUESTIONS + 2
const TOO_MANY = `A listing takes at most ${MAX_ANSWERS} answers`
/** Answers as a shopper sends them. `refusedAnswers` compares them with the questions. */
export const NewAnswers = z
  .array(z.object({ question: z.string(ANSWERS), answer: z.string(ANSWERS) }, ANSWERS), ANSWERS)
  .check(z.maxLength(MAX_ANSWERS, TOO_MANY))
