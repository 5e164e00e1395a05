import { type Colours, defaultBrand } from '#brand'

/** The colours of one color scheme, as src/ui/theme.css names them. */
export interface Palette extends Colours {
  surface: string
  ink: string
  inkSoft: string
  line: string
  lineStrong: string
  accentStrong: string
  onAccent: string
}
export type Scheme = 'light' | 'dark'

const { light, dark } = defaultBrand.colours
/** The palettes of src/ui/theme.css. */
const theme: Record<Scheme, Palette> = {
  light: {
    ...light,
    surface: '#fffdf9',
    ink: '#2c2621',
    inkSoft: '#655b51',
    line: '#e2d8ca',
    lineStrong: '#8f8375',
    accentStrong: '#7d301c',
    onAccent: '#fffaf4',
  },
  dark: {
    ...dark,
    surface: '#282420',
    ink: '#f2ebe1',
    inkSoft: '#b9aea1',
    line: '#443c35',
    lineStrong: '#93887b',
    accentStrong: '#f8bda7',
    onAccent: '#2a1710',
  },
}

/**
 * The palette of a scheme with other colours: ink stays, lines and surfaces are mixed from ink and paper, and the text on the
 * accent is the one that is easier to read.
 */
export function paletteOf(scheme: Scheme, { paper, accent }: Colours): Palette {
  const own = theme[scheme]
  const onPaper =
    paper === own.paper
      ? {}
      : {
          paper,
          surface: mix(paper, '#ffffff', scheme === 'light' ? 0.6 : 0.06),
          line: mix(paper, own.ink, 0.14),
          lineStrong: mix(paper, own.ink, 0.52),
        }
  const isLightReadable = contrast(accent, theme.light.onAccent) >= contrast(accent, theme.dark.onAccent)
  const ofAccent =
    accent === own.accent
      ? {}
      : {
          accent,
          accentStrong: mix(accent, own.ink, 0.35),
          onAccent: isLightReadable ? theme.light.onAccent : theme.dark.onAccent,
        }
  return { ...own, ...onPaper, ...ofAccent }
}

const channels = (colour: string): number[] =>
  [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))

/** A colour between two, '#rrggbb'. @param part of the second, from 0 to 1 */
function mix(first: string, second: string, part: number): string {
  const to = channels(second)
  const mixed = channels(first).map((value, n) => Math.round(value + ((to[n] ?? 0) - value) * part))
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

/** Contrast ratio of two colours '#rrggbb', from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(first: string, second: string): number {
  const [lighter = 0, darker = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map(value => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
