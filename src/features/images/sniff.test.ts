import sharp from 'sharp'
import { expect, test } from 'vitest'
import { countFrames, countScans, countWebpFrames, detectFormat, essentials } from './sniff.ts'

const photo = () => sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })

test('types are detected by signature', async () => {
  expect(detectFormat(await photo().jpeg().toBuffer())).toBe('jpeg')
  expect(detectFormat(await photo().png().toBuffer())).toBe('png')
  expect(detectFormat(await photo().gif().toBuffer())).toBe('gif')
  expect(detectFormat(await photo().webp().toBuffer())).toBe('webp')
  expect(detectFormat(await photo().webp({ lossless: true }).toBuffer())).toBe('webp')
  const avif = await photo().avif({ effort: 0 }).toBuffer()
  expect(detectFormat(avif)).toBe('avif')
  const brands = (...names: string[]) => {
    const box = Buffer.from(`    ftyp${names[0]}    ${names.slice(1).join('')}`)
    box.writeUInt32BE(box.length)
    return detectFormat(Buffer.concat([box, Buffer.from('avif')]))
  }
  expect(brands('mif1', 'miaf', 'avif')).toBe('avif')
  for (const other of [
    ['mif1', 'heic'],
    ['heic', 'mif1', 'avif'],
    ['isom', 'avif'],
    ['mif1', 'xavi', 'f...'],
  ])
    expect(brands(...other)).toBeUndefined()
  expect(detectFormat(Buffer.from('%PDF-1.7'))).toBe('pdf')
  expect(detectFormat(Buffer.from(`${' '.repeat(1019)}%PDF-`))).toBe('pdf')
  expect(detectFormat(Buffer.from(`${' '.repeat(1020)}%PDF-`))).toBeUndefined()
  expect(detectFormat(await photo().tiff().toBuffer())).toBeUndefined()
  for (const text of [
    '',
    'G',
    'GIF88a',
    'RIFF    WAVE',
    'RIFF    WEBP',
    '    ftyp',
    '    ftypheic',
    '\x89PNG',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<!doctype html>',
  ])
    expect(detectFormat(Buffer.from(text, 'latin1'))).toBeUndefined()
})

test('scans of a jpeg are counted without those after it or inside its metadata', async () => {
  const plain = await photo().jpeg().toBuffer()
  expect(countScans(plain)).toBe(1)
  expect(countScans(Buffer.concat([plain, Buffer.from([0, 2, 0xff, 0xda, 0, 2, 0, 0])]))).toBe(1)
  const progressive = await photo().jpeg({ progressive: true }).toBuffer()
  const scans = countScans(progressive)
  expect(scans).toBeGreaterThan(4)
  expect(scans).toBeLessThan(20)
  const comment = Buffer.from([0xff, 0xfe, 0, 6, 0xff, 0xda, 0xff, 0xda])
  expect(countScans(Buffer.concat([plain.subarray(0, 2), comment, plain.subarray(2)]))).toBe(1)
})

test('frames are counted, up to the limit', async () => {
  const frames = await Promise.all(
    ['red', 'green', 'blue'].map(background =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  expect(countFrames(gif, 500)).toEqual({ frames: 3, cut: false })
  expect(countFrames(gif, 1)).toEqual({ frames: 2, cut: false })
  expect(countFrames(await photo().gif().toBuffer(), 500)).toEqual({ frames: 1, cut: false })
  expect(countFrames(gif.subarray(0, -3), 500)).toEqual({ frames: 3, cut: true })
  expect(countFrames(gif.subarray(0, 12), 500)).toEqual({ frames: 0, cut: true })
  const webp = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  expect(countWebpFrames(webp, 500)).toBe(3)
  expect(countWebpFrames(webp, 1)).toBe(2)
  expect(countWebpFrames(await photo().webp().toBuffer(), 500)).toBe(0)
})

test('a png loses chunks that do not change its look', async () => {
  const png = await photo()
    .withExif({ IFD0: { Orientation: '1' } })
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const chunk = (type: string, size: number) => {
    const bytes = Buffer.alloc(size + 12)
    bytes.writeUInt32BE(size)
    bytes.write(type, 4)
    return bytes
  }
  const head = png.subarray(0, 33)
  const rest = png.subarray(33)
  expect(
    essentials(Buffer.concat([head, chunk('zTXt', 9), chunk('tIME', 7), rest, Buffer.from('<html>')])),
  ).toEqual(essentials(png))
  expect(essentials(png).includes('iCCP')).toBe(true)
  expect(essentials(png).includes('eXIf')).toBe(true)
  const twice = essentials(Buffer.concat([head, chunk('gAMA', 4), chunk('gAMA', 4), rest]))
  expect(twice.toString('latin1').split('gAMA')).toHaveLength(2)
})

test.each([
  ['jpeg', countScans, Buffer.from([0xff, 0xd8, 0xff])],
  ['gif', (bytes: Buffer) => countFrames(bytes, 500), Buffer.from('GIF89a')],
  ['webp', (bytes: Buffer) => countWebpFrames(bytes, 500), Buffer.from('RIFF    WEBP')],
  ['avif', detectFormat, Buffer.from('    ftyp')],
  ['png', essentials, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
] as const)('no bytes after a %s signature make the walk fail or last', (_, walk, signature) => {
  let seed = 1
  const noise = () => (seed = (seed * 48271) % 2147483647)
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.concat([signature, Buffer.from(Array.from({ length: noise() % 400 }, noise))])
    expect(() => walk(bytes)).not.toThrow()
  }
  for (const byte of [0x00, 0x01, 0x21, 0x2c, 0xff]) {
    const ofMegabytes = (n: number) => {
      const bytes = Buffer.concat([signature, Buffer.alloc(n * 1_000_000, byte)])
      return Math.min(...[1, 2, 3].map(() => computing(() => walk(bytes))))
    }
    // Linear, not quadratic: eight times the bytes take eight times as long; tolerance 1 ms.
    expect(ofMegabytes(4)).toBeLessThan(30 * (ofMegabytes(0.5) + 1))
  }
})

/** CPU time of this process, ms. */
function computing(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
