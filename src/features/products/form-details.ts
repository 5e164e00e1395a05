import type { ControlText } from './control-text.ts'
import { type Details, type Dimensions, type ListingDetails, MAX_SIDE } from './details-contract.ts'
import { questionsOf, questionTexts } from './form-questions.ts'
import { typedVariations, variationTexts } from './form-variations.ts'
import { SIDES } from './sides.ts'
import type { WrittenVariations } from './variations-contract.ts'

// The details of a listing as the controls of its form have them: texts. Server and browser use it.

const MAX_CM = (MAX_SIDE / 10).toLocaleString('en-US')

/** Details from the texts of a form, as the API takes them. What the form does not ask for stays as it is. */
export function detailsOf(typed: ControlText): Details {
  const weight = typed('weight_grams')?.trim()
  const section = typed('section_id')
  return {
    title: typed('title'),
    story: typed('story'),
    tags: wordsOf(typed('tags')),
    materials: wordsOf(typed('materials')),
    weight_grams: weight === undefined ? undefined : weight === '' ? null : Number(weight),
    dimensions: dimensionsOf(typed),
    safety: typed('safety'),
    manufacturer: typed('manufacturer'),
    section_id: section === undefined ? undefined : Number(section) || null,
    questions: questionsOf(typed),
    variations: typedVariations(typed),
  }
}

/** The words between commas or line ends, each once. */
const wordsOf = (typed: string | undefined): string[] | undefined =>
  typed
    ?.split(/[,\n]/)
    .map(word => word.trim().replace(/\s+/g, ' '))
    .filter((word, index, words) => word !== '' && words.findIndex(isSameAs(word)) === index)
const isSameAs = (word: string) => (other: string) => other.toLowerCase() === word.toLowerCase()

/** Millimetres of typed centimetres, with at most one decimal; null: nothing is typed, NaN: no such number. */
const millimetresOf = (typed: string): number | null => {
  if (typed.trim() === '') return null
  return /^\d+(?:[.,]\d0*)?$/.test(typed.trim())
    ? Math.round(Number(typed.replace(',', '.')) * 10)
    : Number.NaN
}

function dimensionsOf(typed: ControlText): Dimensions | null | undefined {
  if (SIDES.every(([control]) => typed(control) === undefined)) return undefined
  const sides = SIDES.map(([control, column]) => [column, millimetresOf(typed(control) ?? '')] as const)
  return sides.every(([, side]) => side === null) ? null : (Object.fromEntries(sides) as Dimensions)
}

/** Control → message, for each side that is wrong. The contract speaks of millimetres, the form of centimetres. */
export function validateSides(typed: ControlText): Record<string, string> {
  const isWrong = (side: number | null) => side !== null && !(side >= 1 && side <= MAX_SIDE)
  return Object.fromEntries(
    SIDES.filter(([control]) => isWrong(millimetresOf(typed(control) ?? ''))).map(([control, , label]) => [
      control,
      `${label} must be from 0.1 to ${MAX_CM} cm, with at most one decimal`,
    ]),
  )
}

/** Details that are saved, or written and not saved yet: their combinations have no ids. */
export type WrittenDetails = Omit<ListingDetails, 'variations'> & { variations: WrittenVariations }

/** The details of a listing whose seller says nothing. */
export const EMPTY_DETAILS: Omit<WrittenDetails, 'section'> = {
  title: '',
  story: '',
  tags: [],
  materials: [],
  weight_grams: null,
  dimensions: null,
  safety: '',
  manufacturer: '',
  section_id: null,
  questions: [],
  variations: { variations: [], combinations: [] },
}

/** Details that have one control, of their own name. */
export type DetailControl = Exclude<
  keyof WrittenDetails,
  'dimensions' | 'section' | 'questions' | 'variations'
>

/** The labels of these controls, short: messages about changes in another tab name them so. */
export const DETAIL_LABELS: Record<DetailControl, string> = {
  title: 'Title',
  story: 'Story',
  tags: 'Tags',
  materials: 'Materials',
  weight_grams: 'Weight',
  safety: 'Warnings and safety information',
  manufacturer: 'Made by',
  section_id: 'Section',
}

/** The texts of the controls for details. */
export function textsOf(details: WrittenDetails): Record<string, string> {
  const { title, story, tags, materials, weight_grams, dimensions, section_id, questions, variations } =
    details
  const { safety, manufacturer } = details
  const plain: Record<DetailControl, string> = {
    title,
    story,
    tags: tags.join(', '),
    materials: materials.join(', '),
    weight_grams: String(weight_grams ?? ''),
    safety,
    manufacturer,
    section_id: String(section_id ?? ''),
  }
  return {
    ...plain,
    ...questionTexts(questions),
    ...variationTexts(variations),
    ...Object.fromEntries(SIDES.map(([control, column]) => [control, centimetres(dimensions?.[column])])),
  }
}

const centimetres = (side: number | null | undefined) => (side ? String(side / 10) : '')
