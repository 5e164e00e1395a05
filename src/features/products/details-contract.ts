import * as z from 'zod/mini'
import { Id, optionalText, text } from '#contract'
import { NewQuestions, Question } from './questions-contract.ts'
import { NewVariations, Variations } from './variations-contract.ts'

// What a seller can say of a listing beside its name and description. Part of the contract.

export const TITLE_LENGTH = 140
export const STORY_LENGTH = 5_000
export const SAFETY_LENGTH = 1_000
export const MANUFACTURER_LENGTH = 600
export const MAX_TAGS = 13
export const TAG_LENGTH = 20
export const MAX_MATERIALS = 13
export const MATERIAL_LENGTH = 45
/** A ton, g. */
const MAX_WEIGHT = 1_000_000
/** A hundred metres, mm. */
export const MAX_SIDE = 100_000

/** A list of words, none twice. Forms separate them by commas. */
function words(one: string, many: string, most: number, max: number) {
  const word = text(one, {
    required: `A ${one} cannot be empty`,
    max: [max, `A ${one} cannot be more than ${max} characters`],
  }).check(z.refine(value => !/[,\r\n]/.test(value), `A ${one} cannot contain a comma or a line break`))
  return z.array(word, `${many} must be a list`).check(
    z.maxLength(most, `A listing can have at most ${most} ${many.toLowerCase()}`),
    z.refine(
      values => new Set(values.map(value => value.toLowerCase())).size === values.length,
      `Each ${one} can be given once only`,
    ),
  )
}

/** A whole number up to a limit, or null for unknown. */
const measure = (label: string, unit: string, max: number) => {
  const wrong = `${label} must be a whole number of ${unit} from 1 to ${max.toLocaleString('en-US')}`
  return z.nullable(z.int(wrong).check(z.minimum(1, wrong), z.maximum(max, wrong)))
}

/** Sides that are not known are null. */
const Dimensions = z.object(
  {
    length_mm: measure('Length', 'millimetres', MAX_SIDE),
    width_mm: measure('Width', 'millimetres', MAX_SIDE),
    height_mm: measure('Height', 'millimetres', MAX_SIDE),
  },
  'Dimensions must have length, width and height',
)
export type Dimensions = z.infer<typeof Dimensions>

/** What is left out stays as it is; in a new listing it is empty. */
export const Details = z.object({
  /** The whole title, where the name had to be cut. */
  title: z.optional(optionalText('Title', TITLE_LENGTH)),
  /** Plain text: an empty line begins a paragraph, "- " or "* " an entry of a list. */
  story: z.optional(optionalText('Story', STORY_LENGTH)),
  tags: z.optional(words('tag', 'Tags', MAX_TAGS, TAG_LENGTH)),
  materials: z.optional(words('material', 'Materials', MAX_MATERIALS, MATERIAL_LENGTH)),
  weight_grams: z.optional(measure('Weight', 'grams', MAX_WEIGHT)),
  dimensions: z.optional(z.nullable(Dimensions)),
  /** Warnings and safety information; empty: those of the seller, if they say some for all. */
  safety: z.optional(optionalText('Warnings and safety information', SAFETY_LENGTH)),
  /** Who made it, and who answers for it in the European Union; empty: the seller. */
  manufacturer: z.optional(optionalText('Made by', MANUFACTURER_LENGTH)),
  /** One of the seller's own. Null without one. */
  section_id: z.optional(z.nullable(z.int('Section must be the id of a section').check(z.positive()))),
  /** What the shopper is asked: the answers are part of their order. */
  questions: z.optional(NewQuestions),
  /** Where there are some, the price and the stock of the listing are their lowest price and their sum: others are ignored. */
  variations: z.optional(NewVariations),
})
export type Details = z.infer<typeof Details>

/** The details of a listing. Texts and lists are empty where its seller says nothing. */
export const ListingDetails = z.object({
  title: z.string(),
  story: z.string(),
  tags: z.array(z.string()),
  materials: z.array(z.string()),
  weight_grams: z.nullable(z.number()),
  dimensions: z.nullable(
    z.object({
      length_mm: z.nullable(z.number()),
      width_mm: z.nullable(z.number()),
      height_mm: z.nullable(z.number()),
    }),
  ),
  safety: z.string(),
  manufacturer: z.string(),
  section_id: z.nullable(Id),
  /** The name of the section. */
  section: z.nullable(z.string()),
  questions: z.array(Question),
  variations: Variations,
})
export type ListingDetails = z.infer<typeof ListingDetails>
