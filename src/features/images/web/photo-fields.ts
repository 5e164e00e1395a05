// The photos of a form. A stored photo is named by its id, a chosen file by its number: new0, new1.

/** A photo as a form has it. */
export interface PhotoField {
  /** Its id, or `new` and the number of its file. */
  key: string
  alt: string
  /** Whether saving the form deletes it. */
  removed: boolean
}

/** Texts of a form by name. */
type Texts = Iterable<readonly [name: string, value: unknown]>

const PLACE = 'place.'
/** Names of the fields of a photo. */
export const placeOf = (key: string): string => PLACE + key
export const altOf = (key: string): string => `alt.${key}`
export const removedOf = (key: string): string => `remove.${key}`
/** The key of a chosen file. */
export const newPhoto = (index: number): string => `new${index}`
/** Whether a key is that of a chosen file, which is not stored yet. */
export const isNew = (key: string): boolean => key.startsWith('new')
export const isPhotoField = (name: string): boolean => /^(place|alt|remove)\.(new)?\d+$/.test(name)

/** Texts of a form without those of its photos. */
export const withoutPhotos = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => !isPhotoField(name)))

/**
 * The photos of a form in their new order. If two have the same place, one that goes to the front is before the one that
 * has been there, and one that goes to the back is behind it.
 */
export function photosIn(form: Texts): PhotoField[] {
  const texts = new Map(form)
  const text = (name: string) => String(texts.get(name) ?? '')
  const keys = [...texts.keys()].filter(name => name.startsWith(PLACE) && isPhotoField(name))
  return keys
    .map(name => name.slice(PLACE.length))
    .map((key, index) => {
      const place = Number(text(placeOf(key)))
      const moved = Math.sign(place - index - 1)
      const alt = text(altOf(key)).replaceAll('\r\n', '\n')
      return { key, alt, removed: texts.has(removedOf(key)), place, moved }
    })
    .sort((one, other) => one.place - other.place || one.moved - other.moved)
    .map(({ key, alt, removed }) => ({ key, alt, removed }))
}
