/**
 * `npm run icons`: generates every icon from brand.ts and assets/favicon.svg, and docs/palette.svg from
 * src/ui/theme.css. Run it when one of them has changed.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { defaultBrand } from '#brand'

const assets = join(import.meta.dirname, '../assets')
const before = await readFile(join(assets, 'favicon.svg'), 'utf8')
/** The icon with the mark of brand.ts in it. */
const svg = before.replace(/(<path d=")[^"]+/, `$1${defaultBrand.mark}`)
/** Width of the svg's viewBox. */
const GRID = 24
const MAX_BYTES = 8_000

const background = /<rect[^>]* fill="(#\w+)"/.exec(svg)?.[1]
if (!background) throw new Error('favicon.svg has no ground')

const draw = (edge: number, source = svg) =>
  sharp(Buffer.from(source), { density: (72 * edge) / GRID })
    .resize(edge, edge)
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer()

/** A full-bleed icon with a smaller mark, for systems that crop icons. */
const drawFull = async (edge: number) => {
  const border = Math.round(edge * 0.09)
  const square = await draw(edge - 2 * border, svg.replace(/ rx="[^"]+"/, ''))
  return sharp(square)
    .extend({ top: border, bottom: border, left: border, right: border, background: background })
    .flatten({ background: background })
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer()
}

/** An ico file: a list of sizes and offsets, then each png. */
function ico(pictures: { edge: number; png: Buffer }[]): Buffer {
  const HEAD = 6
  const ENTRY = 16
  const head = Buffer.alloc(HEAD + ENTRY * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [n, { edge, png }] of pictures.entries()) {
    const at = HEAD + ENTRY * n
    head.writeUInt8(edge, at)
    head.writeUInt8(edge, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)])
}

const small = await Promise.all([16, 32, 48].map(async edge => ({ edge, png: await draw(edge) })))
const files = {
  'favicon.svg': Buffer.from(svg),
  'favicon.ico': ico(small),
  'apple-touch-icon.png': await drawFull(180),
  'icon-192.png': await draw(192),
  'icon-512.png': await draw(512),
  'icon-maskable.png': await drawFull(512),
}
for (const [name, bytes] of Object.entries(files)) {
  if (bytes.length > MAX_BYTES) throw new Error(`${name} has ${bytes.length} bytes`)
  await writeFile(join(assets, name), bytes)
  console.log(`${name}: ${bytes.length} bytes`)
}

const theme = await readFile(join(assets, '../src/ui/theme.css'), 'utf8')
const ROW = 36
const WIDTH = 320

/** One colour scheme of the palette: each token's colour and name. */
function column(at: number, colours: { name: string; value: string }[]): string {
  const of = (token: string) => colours.find(({ name }) => name === token)?.value
  const rows = colours.map(({ name, value }, row) => {
    const y = 12 + row * ROW
    return `<rect x="${at + 16}" y="${y}" width="72" height="26" rx="8" fill="${value}" stroke="${of('--line-strong')}"/>
<text x="${at + 104}" y="${y + 18}" fill="${of('--ink')}">${name}</text>`
  })
  const height = colours.length * ROW + 14
  return `<rect x="${at}" width="${WIDTH}" height="${height}" fill="${of('--paper')}"/>\n${rows.join('\n')}`
}

const colours = [...theme.matchAll(/^ {4}(--[\w-]+): light-dark\((.+), (#\w+|rgb\(.+\))\);$/gm)]
const schemes = [2, 3].map(n => colours.map(match => ({ name: match[1] ?? '', value: match[n] ?? '' })))
const palette = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * WIDTH} ${colours.length * ROW + 14}" width="${2 * WIDTH}" font-family="monospace" font-size="15">
<title>The colours of the shop in light and dark</title>
${schemes.map((scheme, n) => column(n * WIDTH, scheme)).join('\n')}
</svg>
`
await writeFile(join(assets, '../docs/palette.svg'), palette)
console.log(`palette.svg: ${colours.length} colours`)
