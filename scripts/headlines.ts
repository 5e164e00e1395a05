/** The typeface of headlines, with the letters that they are made of. */
import { createHash } from 'node:crypto'
import subset from 'subset-font'
import type { Plugin } from 'vite'

const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_, place) => 32 + place))
/** The small letters of Western Europe, and those of its capitals that words begin with. */
const ACCENTED = 'ßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿÄÅÉÖØÜ'
/** What typesetters add, beginning with a space that breaks no line. */
const SIGNS = '\u00a0’‘“”–—…·×€£'
const LETTERS = ASCII + ACCENTED + SIGNS
/** Stands in the file's name: a browser that keeps one with other letters has to fetch it anew. */
const VERSION = createHash('sha256').update(LETTERS).digest('hex').slice(0, 8)

/**
 * A built shop sends the typeface with these letters alone: with its headers it then fits into the ten packets that a server
 * sends before it first hears back (RFC 6928), and is there a round trip sooner. All else is drawn by the face behind it.
 */
export const lightHeadlines: Plugin = {
  name: 'light-headlines',
  apply: 'build',
  outputOptions: options => ({
    ...options,
    assetFileNames: ({ names: [name = ''] }) =>
      name.endsWith('.woff2') ? `assets/[name]-[hash]-${VERSION}[extname]` : 'assets/[name]-[hash][extname]',
  }),
  async generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'asset' || !file.fileName.endsWith('.woff2')) continue
      file.source = new Uint8Array(await subset(Buffer.from(file.source), LETTERS, { targetFormat: 'woff2' }))
    }
  },
}
