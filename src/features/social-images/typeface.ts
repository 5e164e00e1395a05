import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type opentype from 'opentype.js'

/**
 * Fraunces as outlines, because a server may have no fonts. Subsets: European languages in Latin script, and
 * Vietnamese.
 */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese']
export type Weight = 400 | 600

const resolve = createRequire(import.meta.url).resolve

async function open(weight: Weight, subset: string): Promise<opentype.Font> {
  // Loaded with the first drawing: it takes 2 MB, and most processes draw none.
  const { default: opentype } = await import('opentype.js')
  const bytes = await readFile(resolve(`@fontsource/fraunces/files/fraunces-${subset}-${weight}-normal.woff`))
  return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer)
}

/** Text in one weight. Sizes and positions are in pixels. */
export class Typeface {
  readonly #fonts: opentype.Font[]

  constructor(fonts: opentype.Font[]) {
    this.#fonts = fonts
  }

  static async load(weight: Weight): Promise<Typeface> {
    return new Typeface(await Promise.all(SUBSETS.map(subset => open(weight, subset))))
  }

  /** The text without characters that the font lacks (other scripts, emoji). */
  legible(text: string): string {
    const drawable = [...text.normalize('NFC')].map(c => (/\s/.test(c) ? ' ' : this.#fontOf(c) ? c : ''))
    return drawable.join('').replace(/ {2,}/g, ' ').trim()
  }

  width(text: string, size: number): number {
    return this.#runs(text).reduce((sum, { font, part }) => sum + font.getAdvanceWidth(part, size), 0)
  }

  /** Outline of a text, for the `d` of a path. Its base line begins at x and y. */
  outline(text: string, x: number, y: number, size: number): string {
    let at = x
    return this.#runs(text)
      .map(({ font, part }) => {
        const { commands } = font.getPath(part, at, y, size)
        at += font.getAdvanceWidth(part, size)
        return commands.map(toPath).join('')
      })
      .join('')
  }

  /** Wraps a text to `width`. Longer words are broken. */
  lines(text: string, size: number, width: number): string[] {
    const space = this.width(' ', size)
    const lines: { line: string; wide: number }[] = []
    for (const part of text.split(' ').flatMap(word => this.#broken(word, size, width))) {
      const last = lines.at(-1)
      const wide = this.width(part, size)
      if (last && last.wide + space + wide <= width)
        Object.assign(last, { line: `${last.line} ${part}`, wide: last.wide + space + wide })
      else lines.push({ line: part, wide })
    }
    return lines.map(({ line }) => line)
  }

  /** A word in pieces of similar length that fit. */
  #broken(word: string, size: number, width: number): string[] {
    const letters = [...word]
    const parts = Math.ceil((1.08 * this.width(word, size)) / width)
    if (this.width(word, size) <= width) return [word]
    const length = Math.ceil(letters.length / parts)
    return Array.from({ length: parts }, (_, at) =>
      letters.slice(at * length, (at + 1) * length).join(''),
    ).filter(Boolean)
  }

  #fontOf = (character: string): opentype.Font | undefined =>
    this.#fonts.find(font => font.charToGlyphIndex(character) > 0)

  /** Groups characters by subset, so that neighbours are kerned. */
  #runs(text: string): { font: opentype.Font; part: string }[] {
    const runs: { font: opentype.Font; part: string }[] = []
    for (const character of text) {
      const font = this.#fontOf(character)
      const last = runs.at(-1)
      if (!font) continue
      if (last && last.font === font) last.part += character
      else runs.push({ font, part: character })
    }
    return runs
  }
}

/** A command as in the `d` of a path, with one decimal. */
const toPath = ({ type, x1, y1, x2, y2, x, y }: opentype.Command): string =>
  type + [x1, y1, x2, y2, x, y].flatMap(n => (n === undefined ? [] : n.toFixed(1))).join(' ')
