/** Thrums: the ends of the warp that stay on the loom. Shown on a card without a photo. */

/** Colours of wool that fit paper and accent. */
const DYES = ['#9a3f27', '#c4764f', '#d9a566', '#8a7a4f', '#5f7457', '#3f5d66', '#8c5a63', '#b9a58c']
const BEAM = '#7d301c'
/** Pixels between two ends, and their thickness. */
const STEP = 24
const THICKNESS = 11
/** Height of beam and ends. */
const MAX_LENGTH = 236

/** An svg group: a beam with ends hanging down, the same for the same text. */
export function placeholderArt(seed: string, width: number): string {
  const random = randomFrom(seed)
  const ends: string[] = []
  let dye = Math.floor(random() * DYES.length)
  for (let x = STEP / 2; x < width; x += STEP) {
    // Stripes of a few ends.
    if (random() < 0.3) dye = (dye + 1 + Math.floor(random() * (DYES.length - 1))) % DYES.length
    const wave = 0.5 + 0.5 * Math.sin(x / 170 + seed.length)
    const length = 66 + (MAX_LENGTH - 110) * (0.35 * random() + 0.65 * wave)
    const sway = (random() - 0.5) * 16
    const d = `M${x} 34v${(length * 0.5).toFixed(1)}q0 ${(length * 0.3).toFixed(1)} ${sway.toFixed(1)} ${(length * 0.5).toFixed(1)}`
    ends.push(`<path d="${d}" stroke="${DYES[dye]}"/>`)
  }
  return (
    `<g fill="none" stroke-width="${THICKNESS}" stroke-linecap="round">${ends.join('')}</g>` +
    `<rect y="22" width="${width}" height="22" fill="${BEAM}"/>`
  )
}

/** Pseudo-random numbers from 0 to 1, seeded by a text (mulberry32). */
function randomFrom(text: string): () => number {
  let state = [...text].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) | 0, 7)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
