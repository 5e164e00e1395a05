/** Readable addresses of listings, the same on the server and in the browser. */

/** Characters of a name inside an address, percent-encoded. Names of 50 Latin letters fit as they are. */
const MAX_SLUG = 150
/** Pages below a listing's own: they are never taken for its name. */
const TAKEN = /^(?:edit|reply|reviews|(?:create|edit|delete)-review)$/
/** Letters that Unicode does not take apart into a plain one and its accent. */
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
 * A listing's name as a part of its address: lower case, without the accents of Latin letters, a hyphen for everything
 * that is neither letter nor digit. Other scripts are kept. 'handmade' where nothing is left; never a page's own word.
 */
export function slugOf(name: string): string {
  const words = (ASCII.test(name) ? name.toLowerCase() : folded(name)).replace(/['’]/g, '')
  const slug = shortened(words.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-|-$/g, ''))
  if (slug === '') return 'handmade'
  return TAKEN.test(slug) ? `${slug}-handmade` : slug
}

/** Most names; they need none of the work below. */
const ASCII = /^[ -~]*$/

const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøđðłþħı]/g, letter => PLAIN[letter] ?? letter)
    .replace(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, '')
    .normalize('NFC')

/** As much of a slug as an address has room for. */
function shortened(slug: string): string {
  if (encodeURIComponent(slug).length <= MAX_SLUG) return slug
  const letters = [...slug]
  while (encodeURIComponent(letters.join('')).length > MAX_SLUG) letters.pop()
  return letters.join('').replace(/-$/, '')
}

/** The readable address of a listing: '/products/7/speckled-mug'. */
export const listingPath = ({ id, name }: { id: number; name: string }): string =>
  `/products/${id}/${encodeURIComponent(slugOf(name))}`
