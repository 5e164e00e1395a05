/** Readable addresses of listings, the same on the server and in the browser. */

/** Maximum length of a slug, percent-encoded. Names of 50 Latin letters fit. */
const MAX_SLUG = 150
/** Pages below a listing's own: no slug may equal them. */
const RESERVED = /^(?:edit|reply|reviews|(?:create|edit|delete)-review)$/
/** Letters that Unicode does not decompose. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}

/**
 * The slug of a name: lower case, without Latin accents, hyphens for everything but letters and digits. Other
 * scripts stay. 'handmade' if nothing is left or a page has that name.
 */
export function slugOf(name: string): string {
  const text = (ASCII.test(name) ? name.toLowerCase() : folded(name)).replace(/['’]/g, '')
  const slug = shortened(text.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-|-$/g, ''))
  if (slug === '') return 'handmade'
  return RESERVED.test(slug) ? `${slug}-handmade` : slug
}

/** Most names: the fast path. */
const ASCII = /^[ -~]*$/

const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøđðłþħı]/g, letter => PLAIN[letter] ?? letter)
    .replace(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, '')
    .normalize('NFC')

/** Cuts a slug to its maximum length. */
function shortened(slug: string): string {
  if (encodeURIComponent(slug).length <= MAX_SLUG) return slug
  const letters = [...slug]
  while (encodeURIComponent(letters.join('')).length > MAX_SLUG) letters.pop()
  return letters.join('').replace(/-$/, '')
}

/** Path of a listing: '/products/7/speckled-mug'. */
export const listingPath = ({ id, name }: { id: number; name: string }): string =>
  `/products/${id}/${encodeURIComponent(slugOf(name))}`
