import type { Id } from '#contract'

/** What is known of a draft to find its photos by. */
export interface DraftNames {
  id: Id
  /** SKU and titles, as typed. */
  names: string[]
}

/** A photo that a draft waits for. */
export interface AwaitedPhoto {
  id: Id
  url: string
}

/** Files of a zip with their places; the others have none. */
export interface Matches {
  /** File → the photo that is waited for. */
  photos: Map<string, Id>
  /** File → the draft that it belongs to, in the order of the photos. */
  drafts: Map<string, Id>
  /** Files without a place. */
  unknown: string[]
}

const stemOf = (path: string) => (path.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '')

/**
 * The part of a picture's file name that is the same in all its sizes: `il_794xN.123_abc.jpg` and
 * `il_fullxfull.123_abc.webp`.
 */
const photoKey = (path: string) =>
  stemOf(path)
    .replace(/^il_[^.]*\./i, '')
    .toLowerCase()

/** A text reduced to its letters and digits: 'Mug, blue (large)' and 'mug-blue-large' are the same. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** A file's name without the number at its end: 'MUG-01 (2)', 'MUG-01_2'. */
const unnumbered = (stem: string) => stem.replace(/[\s_-]*(\(\d+\)|[\s_-]\d+)$/, '')

const byName = new Intl.Collator('en', { numeric: true }).compare

/**
 * Matches the files of a zip with photos and drafts: by the file name in the address of an awaited photo; else by a
 * SKU or title that equals the name of the file, with or without a number at its end, or of a folder around it. A
 * name that two drafts share matches neither.
 */
export function matchPhotos(files: string[], drafts: DraftNames[], awaited: AwaitedPhoto[]): Matches {
  const addresses = unique(awaited.map(({ id, url }) => [photoKey(new URL(url).pathname), id]))
  const names = unique(drafts.flatMap(({ id, names }) => names.map(name => [plain(name), id] as const)))
  const matches: Matches = { photos: new Map(), drafts: new Map(), unknown: [] }
  const taken = new Set<Id>()
  for (const file of files.toSorted(byName)) {
    const photo = addresses.get(photoKey(file))
    const draft = photo ? undefined : draftOf(file, names)
    if (photo && !taken.has(photo)) {
      taken.add(photo)
      matches.photos.set(file, photo)
    } else if (draft) matches.drafts.set(file, draft)
    else matches.unknown.push(file)
  }
  return matches
}

function draftOf(file: string, names: Map<string, Id>): Id | undefined {
  const stem = stemOf(file)
  // The nearest folder first.
  const folders = file.split('/').slice(0, -1).reverse()
  for (const name of [stem, unnumbered(stem), ...folders]) {
    const found = names.get(plain(name))
    if (found) return found
  }
  return undefined
}

/** Names of one owner each; those of several, and empty ones, are left out. */
function unique(owned: (readonly [name: string, owner: Id])[]): Map<string, Id> {
  const owners = new Map<string, Id | undefined>()
  for (const [name, owner] of owned)
    owners.set(name, owners.has(name) && owners.get(name) !== owner ? undefined : owner)
  owners.delete('')
  return new Map([...owners].flatMap(([name, owner]) => (owner === undefined ? [] : [[name, owner]])))
}
