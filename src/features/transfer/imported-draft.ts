import { fromCents, twoDecimals } from '#money'
import { DESCRIPTION_LENGTH, MAX_PRICE, NAME_LENGTH } from '#products/contract.ts'
import {
  MATERIAL_LENGTH,
  MAX_MATERIALS,
  MAX_TAGS,
  STORY_LENGTH,
  TAG_LENGTH,
  TITLE_LENGTH,
} from '#products/details-contract.ts'
import { MAX_COMBINATIONS } from '#products/variations-contract.ts'
import { lengthOf } from '#text'
import { cutAtWord, firstSentences } from './cut-text.ts'
import { CURRENCY, type EtsyListing, type Variation } from './etsy-listing.ts'
import { variationsOf } from './imported-variations.ts'

/** Where Etsy keeps pictures, and the only place that they are fetched from. */
const PICTURES = /^https:\/\/i\.etsystatic\.com\//

/** What a person should know of an imported listing. */
interface Note {
  /** The control of the listing form that it is about. */
  field: string
  /** `cut`: something of the file is left out. `check`: look at it before you publish. */
  kind: 'cut' | 'check'
  message: string
}

export interface ImportedDraft {
  /** Texts by the names of the listing form. */
  fields: Record<
    'name' | 'title' | 'description' | 'story' | 'price' | 'stock' | 'tags' | 'materials',
    string
  > &
    Record<string, string>
  /** Addresses at Etsy, the cover first. */
  pictures: string[]
  variations: Variation[]
  skus: string[]
  notes: Note[]
}

/** Length of the address of a picture. Those of Etsy have less than 100. */
const MAX_ADDRESS = 600

/** A listing of Etsy's file as a draft, with what is cut and why. @param rows combinations that can get a row */
export function importedDraft(listing: EtsyListing, rows = MAX_COMBINATIONS): ImportedDraft {
  const { title, description, price_cents, currency, quantity, images, variations, skus } = listing
  const notes: Note[] = []
  const note = (kind: Note['kind'], field: string, message: string) => notes.push({ field, kind, message })

  const name = cutAtWord(title, NAME_LENGTH)
  const whole = name === title ? '' : cutAtWord(title, TITLE_LENGTH)
  if (whole !== '') note('cut', 'name', `A name has at most ${NAME_LENGTH} characters: “${name}”`)
  if (lengthOf(title) > TITLE_LENGTH)
    note('cut', 'title', `A title has at most ${TITLE_LENGTH} characters: the end of it is left out`)
  const short = firstSentences(description, DESCRIPTION_LENGTH)
  const story = short === description ? '' : cutAtWord(description, STORY_LENGTH)
  if (lengthOf(description) > STORY_LENGTH)
    note('cut', 'story', `A story has at most ${STORY_LENGTH} characters: the end of it is left out`)

  const price = price_cents === null ? '' : twoDecimals(fromCents(price_cents))
  if (price === '') note('check', 'price', 'The file has no price')
  if (Number(price) > MAX_PRICE) note('check', 'price', 'A price cannot be more than 999,999.99')
  if (currency !== CURRENCY)
    note('check', 'price', `The price is in ${currency}, and here it is in ${CURRENCY}. It is not converted`)
  if (quantity === null) note('check', 'stock', 'The file has no quantity')
  const choice = variationsOf(variations, price, rows)
  for (const [kind, message] of choice.notes) note(kind, 'variation_1', message)
  // Each combination would begin with all of it.
  const stock = choice.hasRows ? String(quantity ?? '') : ''
  const elsewhere = images.filter(address => !PICTURES.test(address)).length
  if (elsewhere > 0)
    note(
      'check',
      'photos',
      elsewhere === 1
        ? `1 of ${images.length} pictures is not at Etsy, so it is not fetched`
        : `${elsewhere} of ${images.length} pictures are not at Etsy, so they are not fetched`,
    )

  /** The words that a listing can have. */
  const words = (field: 'tags' | 'materials', most: number, max: number) => {
    const fitting = listing[field].filter(word => lengthOf(word) <= max).slice(0, most)
    const left = listing[field].filter(word => !fitting.includes(word))
    if (left.length > 0)
      note('cut', field, `At most ${most} ${field} with ${max} characters each: left out ${left.join(', ')}`)
    return fitting.join(', ')
  }
  return {
    fields: {
      ...{ name, title: whole, description: short, story, price, stock },
      tags: words('tags', MAX_TAGS, TAG_LENGTH),
      materials: words('materials', MAX_MATERIALS, MATERIAL_LENGTH),
      ...choice.texts,
    },
    pictures: images.filter(address => address.length <= MAX_ADDRESS),
    variations,
    skus,
    notes,
  }
}
