/** The part of opentype.js that is used here. */
declare module 'opentype.js' {
  const opentype: { parse(font: ArrayBuffer): opentype.Font }
  namespace opentype {
    interface Font {
      /** 0 where the font has no glyph for a character. */
      charToGlyphIndex(character: string): number
      /** In pixels, with kerning. */
      getAdvanceWidth(text: string, fontSize: number): number
      /** The base line begins at x and y. */
      getPath(text: string, x: number, y: number, fontSize: number): { commands: Command[] }
    }
    /** Of an outline: Z has no points, M and L have one, Q two, C three. */
    interface Command {
      type: 'M' | 'L' | 'Q' | 'C' | 'Z'
      x?: number
      y?: number
      x1?: number
      y1?: number
      x2?: number
      y2?: number
    }
  }
  export = opentype
}
