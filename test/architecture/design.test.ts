import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultBrand } from '#brand'
import { paletteOf } from '#palette'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const page = read('docs/design.md')
const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

/** The first block of tokens: the defaults. */
const [block = ''] = /:root \{[^}]+\}/.exec(read('src/ui/theme.css')) ?? []
const tokens = new Map(
  [...block.matchAll(/(--[\w-]+):([^;]+);/g)].map(([, name, value]) => [name!, flat(value!)]),
)
const rows = page
  .split('\n')
  .filter(line => line.startsWith('|'))
  .map(line => line.split('|').slice(1, -1).map(flat))

/** Both schemes' values of a colour. */
const schemes = (token: string) => /^light-dark\((.+), ([^,]+)\)$/.exec(tokens.get(token) ?? '')?.slice(1)

test('docs/design.md names every token with its value, and no other', () => {
  const named = rows.filter(([name]) => /^`--[\w-]+`$/.test(name!))
  const documented = named.map(([name, ...cells]) => {
    const values = cells.flatMap(cell => /^`(.+)`$/.exec(cell)?.[1] ?? [])
    return [name!.slice(1, -1), values.length === 2 ? `light-dark(${values.join(', ')})` : values[0]]
  })
  expect(tokens.size).toBeGreaterThan(30)
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(tokens))
  for (const [name, ...cells] of named) expect(`${name}: ${cells.at(-1)}`).toMatch(/: \w/)
})

test('the palette shows every colour, light and dark', () => {
  const shown = [...read('docs/palette.svg').matchAll(/fill="([^"]+)" stroke.+?>(--[\w-]+)</gs)]
  const light = [...tokens.keys()].filter(name => schemes(name))
  expect(shown.map(([, colour, name]) => [name, colour])).toEqual(
    [0, 1].flatMap(n => light.map(name => [name, schemes(name)?.[n]])),
  )
})

test('the contrasts are computed, and sufficient', () => {
  const contrasts = rows.filter(([name]) => /--.+ on .*--/.test(name!))
  expect(contrasts.length).toBeGreaterThan(15)
  for (const [name, light, dark, minimum] of contrasts) {
    const [above = '', below = ''] = [...name!.matchAll(/--[\w-]+/g)].map(([token]) => token)
    const computed = [0, 1].map(n => contrast(schemes(above)?.[n] ?? '', schemes(below)?.[n] ?? ''))
    expect([name, light, dark]).toEqual([name, ...computed.map(value => value.toFixed(2))])
    for (const value of computed) expect(value, name).toBeGreaterThanOrEqual(Number(minimum))
  }
})

/** Metrics of a font, in font units. */
interface Measured {
  unitsPerEm: number
  tables: { hhea: { ascender: number; descender: number } }
}
const { parse } = createRequire(import.meta.url)('opentype.js') as { parse(font: ArrayBuffer): Measured }

test('the fallback fonts have the metrics of Fraunces', () => {
  const face = join(root, 'node_modules/@fontsource/fraunces/files/fraunces-latin-600-normal.woff')
  const bytes = readFileSync(face)
  const { tables, unitsPerEm } = parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  const { ascender, descender } = tables.hhea
  const rules = [...read('src/ui/theme.css').matchAll(/@font-face \{[^}]+size-adjust[^}]+\}/g)]
  expect(rules).toHaveLength(4)
  for (const [rule] of rules) {
    const percent = (name: string) => Number(new RegExp(`${name}: ([\\d.]+)%`).exec(rule)?.[1]) / 100
    const size = percent('size-adjust')
    expect(percent('ascent-override') * size, rule).toBeCloseTo(ascender / unitsPerEm, 3)
    expect(percent('descent-override') * size, rule).toBeCloseTo(-descender / unitsPerEm, 3)
  }
})

test('icons and browser chrome have the colours of the tokens', () => {
  expect(schemes('--paper')).toEqual([defaultBrand.colours.light.paper, defaultBrand.colours.dark.paper])
  const colours = [...read('assets/favicon.svg').matchAll(/#\w{6}/g)].map(([colour]) => colour)
  expect(colours.sort()).toEqual([...schemes('--accent')!, ...schemes('--on-accent')!].sort())
})

test('the icon has the mark of brand.ts', () => {
  const [, mark] = /<path d="([^"]+)"/.exec(read('assets/favicon.svg')) ?? []
  expect(mark).toBe(defaultBrand.mark)
})

test('the palettes are those of theme.css', () => {
  for (const [n, scheme] of (['light', 'dark'] as const).entries()) {
    const { inkSoft, lineStrong, accentStrong, onAccent, ...others } = paletteOf(
      scheme,
      defaultBrand.colours[scheme],
    )
    const named = {
      ...others,
      'ink-soft': inkSoft,
      'line-strong': lineStrong,
      'accent-strong': accentStrong,
      'on-accent': onAccent,
    }
    for (const [name, value] of Object.entries(named)) expect(schemes(`--${name}`)?.[n], name).toBe(value)
  }
})

test('the inlined drawing of the error pages is the one of drawings.svg', () => {
  const flattened = (file: string) => read(file).replaceAll(' />', '/>')
  const [, wool = ''] = /<symbol id="wool"[^>]*>(.+?)<\/symbol>/s.exec(read('src/ui/drawings.svg')) ?? []
  const lines = [...wool.matchAll(/<.+>/g)].map(([line]) => line)
  expect(lines).toHaveLength(3)
  for (const file of ['src/ui/ErrorPages.tsx', 'src/features/site/static-error-page.ts'])
    for (const line of lines) expect(flattened(file)).toContain(line)
})

test('every named drawing exists, and docs/design.md lists it', () => {
  const drawn = [...read('src/ui/drawings.svg').matchAll(/<symbol id="(\w+)"/g)].map(([, name]) => name)
  const [, union = ''] = /DrawingName = (.+)/.exec(read('src/ui/drawings.tsx')) ?? []
  const known = [...union.matchAll(/'(\w+)'/g)].map(([, name]) => name)
  expect(known.sort()).toEqual(drawn.sort())
  for (const name of known) expect(flat(page)).toContain(`\`${name}\` (`)
})

/** WCAG's contrast of two colours, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
