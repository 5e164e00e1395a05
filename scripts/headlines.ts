/** The typeface of headlines, with the letters that they are made of. */
import subset from 'subset-font'
import type { Plugin } from 'vite'

const between = (first: string, last: string): string =>
  String.fromCodePoint(
    ...Array.from(
      { length: last.charCodeAt(0) - first.charCodeAt(0) + 1 },
      (_, place) => first.charCodeAt(0) + place,
    ),
  )

/** ASCII, the small letters of Western Europe, those of its capitals that words begin with, and what typesetters add. */
const LETTERS = [between(' ', '~'), between('ß', 'ö'), between('ø', 'ÿ'), 'ÄÅÉÖØÜ', '\u00a0’‘“”–—…·×€£'].join(
  '',
)

/**
 * A built shop sends the typeface with these letters alone: with its headers it then fits into the ten packets that a server
 * sends before it first hears back (RFC 6928), and is there a round trip sooner. All else is drawn by the face behind it.
 */
export const lightHeadlines: Plugin = {
  name: 'light-headlines',
  apply: 'build',
  async generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'asset' || !file.fileName.endsWith('.woff2')) continue
      file.source = new Uint8Array(await subset(Buffer.from(file.source), LETTERS, { targetFormat: 'woff2' }))
    }
  },
}
