/** Checks of an upload's bytes before any decoder runs. Each one replaces a limit that the decoder lacks. */

/** Accepted types, by their first bytes. */
export type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'pdf'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** The type by signature, never by name; undefined for others. A pdf's signature is within its first 1,024 bytes. */
export function detectFormat(bytes: Buffer): Format | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'png'
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'gif'
  if (/^RIFF.{4}WEBPVP8[ LX]/s.test(bytes.toString('latin1', 0, 16))) return 'webp'
  if (isAvif(bytes)) return 'avif'
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf'
  return undefined
}

/** Whether the file type box, which comes first, says avif: as brand or as compatible brand. */
function isAvif(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return false
  const brands = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 256)).match(/.{4}/gs)
  return brands?.[0] === 'avif' || (brands?.[0] === 'mif1' && brands.includes('avif', 2))
}

/**
 * Number of scans in a jpeg. A progressive one may have thousands, each over all pixels: 135 kB with 500 scans took
 * over 4 s.
 */
export function countScans(jpeg: Buffer): number {
  let scans = 0
  let at = 2
  while (at + 4 <= jpeg.length) {
    at = jpeg.indexOf(0xff, at)
    if (at < 0 || at + 4 > jpeg.length) break
    const marker = jpeg[at + 1]!
    if (marker === 0xd9) break
    if (marker === 0xda) scans++
    if (marker === 0xff) at += 1
    else if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else at += 2 + jpeg.readUInt16BE(at + 2)
  }
  return scans
}

/**
 * Number of frames in a gif, counted up to `limit` + 1, and whether the file ends inside one: the decoder would
 * silently drop the rest.
 */
export function countFrames(gif: Buffer, limit: number): { frames: number; cut: boolean } {
  const colours = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let frames = 0
  let at = 13 + colours(gif[10])
  while (frames <= limit) {
    if (gif[at] === 0x2c) {
      frames++
      at += 11 + colours(gif[at + 9])
    } else if (gif[at] === 0x21) at += 2
    else break
    // Both kinds of block end in a chain of up to 255 bytes each, closed by one of length 0.
    for (let size = gif[at]; size; size = gif[at]) at += 1 + size
    at += 1
  }
  return { frames, cut: at > gif.length }
}

/**
 * Number of frames in a webp, counted up to `limit` + 1. The decoder searches each from the first one on: 300,000
 * frames in 10 MB would take minutes.
 */
export function countWebpFrames(webp: Buffer, limit: number): number {
  let frames = 0
  for (let at = 12; at + 8 <= webp.length && frames <= limit; ) {
    if (webp.toString('latin1', at, at + 4) === 'ANMF') frames++
    const size = webp.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  return frames
}

/** The number of pixels in a png's header; 0 without one. */
export function announcedPixels(png: Buffer): number {
  if (png.length < 24 || png.toString('latin1', 12, 16) !== 'IHDR') return 0
  return png.readUInt32BE(16) * png.readUInt32BE(20)
}

const NEEDED = /^(IHDR|PLTE|IDAT|IEND|tRNS|gAMA|cHRM|sRGB|iCCP|cICP|eXIf)$/

/**
 * The png without chunks that do not change how it looks, such as compressed text: the decoder unpacks all of it at
 * once, and 7 MB grow to 3 GB. Of every other chunk but the pixels (IDAT) only the first is kept.
 */
export function essentials(png: Buffer): Buffer {
  const essential = Buffer.allocUnsafe(png.length)
  const seen = new Set<string>()
  let size = png.copy(essential, 0, 0, PNG.length)
  for (let at = PNG.length; at + 12 <= png.length; ) {
    const end = at + 12 + png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    if (NEEDED.test(type) && !seen.has(type)) {
      size += png.copy(essential, size, at, end)
      if (type !== 'IDAT') seen.add(type)
    }
    at = end
    if (type === 'IEND') break
  }
  return essential.subarray(0, size)
}
