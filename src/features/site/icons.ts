import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import type { Brand } from '#brand'
// First, because it blocks all decoders except those for uploads.
import '#images/decoders.ts'
import { type Palette, paletteOf } from '#palette'
import type { Files } from '#platform/storage/files.ts'

/** Drawings are svg, made here: see social-images/draw.ts. */
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })

/** Icons of a brand with a logo or colours of its own: file → edge in pixels, and the part of it that is border. */
const ICONS: Record<string, { edge: number; border: number }> = {
  'icon-32.png': { edge: 32, border: 0 },
  'apple-touch-icon.png': { edge: 180, border: 0.1 },
  'icon-192.png': { edge: 192, border: 0 },
  'icon-512.png': { edge: 512, border: 0 },
  // Systems cut it to a circle or a rounded square: https://www.w3.org/TR/appmanifest/#icon-masks
  'icon-maskable.png': { edge: 512, border: 0.18 },
}
export const isIcon = (file: string): boolean => Object.hasOwn(ICONS, file)

/** Draws an icon as a png: the logo on paper, or the mark on the accent colour. @param file one of `isIcon` */
export async function drawIcon(brand: Brand, file: string, files: Files): Promise<Buffer> {
  const { edge, border } = ICONS[file]!
  const colours = paletteOf('light', brand.colours.light)
  const logo = brand.logo && (await logoOf(brand.logo.url, files))
  if (!logo)
    return sharp(Buffer.from(markOf(brand.mark, colours, border)))
      .resize(edge)
      .png()
      .toBuffer()
  const inner = Math.round(edge * (1 - 2 * border))
  const picture = await sharp(logo)
    .resize(inner, inner, { fit: 'contain', background: '#0000' })
    .png()
    .toBuffer()
  const background = border > 0 ? colours.paper : '#0000'
  return sharp({ create: { width: edge, height: edge, channels: 4, background } })
    .composite([{ input: picture }])
    .png()
    .toBuffer()
}

/** As assets/favicon.svg. Without a border its corners are round. */
const markOf = (mark: string, { accent, onAccent }: Palette, border: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="512" height="512">
<rect width="24" height="24" rx="${border > 0 ? 0 : 5.5}" fill="${accent}"/>
<g transform="translate(12 12) scale(${1 - 2 * border}) translate(-12 -12)">
<path d="${mark}" fill="none" stroke="${onAccent}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></g></svg>`

/** The file of the logo. If it is gone, the mark is drawn. */
async function logoOf(url: string, files: Files): Promise<Buffer | undefined> {
  const [, folder = '', name = ''] = /^\/images\/([^/]+)\/([^/]+)$/.exec(url) ?? []
  const file = await files.open(folder, name)
  return file && buffer(file.stream)
}
