import sharp from 'sharp'
import { type Palette, paletteOf } from '#palette'
// First, because it blocks all decoders except those for uploads.
import '#images/decoders.ts'
import { memoize } from '#platform/async/memoize.ts'
import { type Card, type Drawn, SHARE_SIZE } from './contract.ts'
import { placeholderArt } from './placeholder-art.ts'
import { Typeface } from './typeface.ts'

/**
 * Drawings are svg. No upload reaches this decoder: uploads must begin with the signature of an accepted type, whose
 * decoder comes first.
 */
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })

const { width: WIDTH, height: HEIGHT } = SHARE_SIZE
const MARGIN = 64
/** The photo is a square at the left edge. */
const PHOTO = HEIGHT
/** Sizes of titles, pixels: the first that fits. */
const SIZES = [92, 80, 70, 62, 54, 48, 42, 37]
const LINE_HEIGHT = 1.12

const typefaces = memoize(() => Promise.all([Typeface.load(600), Typeface.load(400)]))

/** Bytes of the webp files of a card. */
interface Pictures {
  photo?: Buffer | undefined
  /** Instead of the mark. */
  logo?: Buffer | undefined
}

/** Draws a card as a jpeg of 1200 × 630 pixels, in the light scheme. */
export async function draw(card: Card, brand: Drawn, { photo, logo }: Pictures = {}): Promise<Buffer> {
  const colours = paletteOf('light', brand.colours.light)
  const [semibold, regular] = await typefaces()
  const title = semibold.legible(card.title)
  const over = regular.legible(card.over)
  // If the name is in another script, the category replaces it.
  const texts = {
    over: title ? over : '',
    title: title || over || brand.name,
    under: regular.legible(card.under),
  }
  const left = photo ? PHOTO + MARGIN - 8 : MARGIN + 8
  const signedAt = photo ? left : WIDTH - MARGIN - signatureWidth(semibold, brand)
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colours.paper}"/>`,
    photo ? '' : placeholderArt(JSON.stringify(texts), WIDTH),
    ...text(texts, { left, top: photo ? 84 : 292, semibold, regular, colours }),
    signature(semibold, signedAt, logo ? '' : markOf(brand.mark, signedAt, colours), brand.name, colours),
    '</svg>',
  ].join('')
  const square =
    photo && (await sharp(photo).resize(PHOTO, HEIGHT, { fit: 'cover' }).flatten().png().toBuffer())
  const small =
    logo && (await sharp(logo).resize(LOGO, LOGO, { fit: 'contain', background: '#0000' }).png().toBuffer())
  return sharp(Buffer.from(svg))
    .composite([
      ...(square ? [{ input: square, left: 0, top: 0 }] : []),
      ...(small ? [{ input: small, left: Math.round(signedAt - 7), top: HEIGHT - 100 }] : []),
    ])
    .timeout({ seconds: 10 })
    .jpeg({ quality: 84 })
    .toBuffer()
}

interface Layout {
  left: number
  /** Top of the first line. */
  top: number
  semibold: Typeface
  regular: Typeface
  colours: Palette
}

/** Lines of text above the signature. */
function text(texts: Omit<Card, 'photo'>, { left, top, semibold, regular, colours }: Layout): string[] {
  const width = WIDTH - MARGIN - left
  const maxHeight = HEIGHT - top - (left > PHOTO ? 168 : 104)
  const over = 30
  const under = 34
  const otherHeight = (texts.over ? over * 1.5 : 0) + (texts.under ? under * 1.9 : 0)
  const linesAt = (size: number) => semibold.lines(texts.title, size, width)
  const size =
    SIZES.find(
      size =>
        linesAt(size).length * size * LINE_HEIGHT + otherHeight <= maxHeight &&
        texts.title.split(' ').every(word => semibold.width(word, size) <= width),
    ) ??
    SIZES.find(size => linesAt(size).length * size * LINE_HEIGHT + otherHeight <= maxHeight) ??
    37
  const outline = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`
  const drawn: string[] = []
  let y = top
  if (texts.over) {
    drawn.push(
      outline(
        regular.outline(shortened(regular, texts.over, over, width), left, y + over, over),
        colours.accent,
      ),
    )
    y += over * 1.5
  }
  for (const line of linesAt(size)) {
    drawn.push(outline(semibold.outline(line, left, y + size * 0.92, size), colours.ink))
    y += size * LINE_HEIGHT
  }
  if (texts.under)
    drawn.push(
      outline(
        regular.outline(shortened(regular, texts.under, under, width), left, y + under * 1.25, under),
        colours.inkSoft,
      ),
    )
  return drawn
}

/** Truncates a text to one line. */
function shortened(typeface: Typeface, text: string, size: number, width: number): string {
  if (typeface.width(text, size) <= width) return text
  const letters = [...text]
  while (letters.length > 0 && typeface.width(`${letters.join('')}…`, size) > width) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

const NAME_SIZE = 40
const signatureWidth = (semibold: Typeface, brand: Drawn) => 60 + semibold.width(brand.name, NAME_SIZE)

/** Edge of the logo, pixels: as large as the mark. */
const LOGO = 48

const markOf = (mark: string, x: number, colours: Palette): string =>
  `<g transform="translate(${x - 7} ${HEIGHT - 100}) scale(2)"><path d="${mark}" fill="none" stroke="${colours.accent}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></g>`

/** Mark and name of the shop, at the bottom. */
const signature = (semibold: Typeface, x: number, mark: string, name: string, colours: Palette): string =>
  `${mark}<path d="${semibold.outline(name, x + 52, HEIGHT - 62, NAME_SIZE)}" fill="${colours.ink}"/>`
