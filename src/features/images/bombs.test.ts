import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { RefusedImage } from './refused-image.ts'
import { makeRenditions } from './renditions.ts'

const refusal = (bytes: Uint8Array) =>
  makeRenditions(Buffer.from(bytes)).then(
    () => 'accepted',
    error => (error instanceof RefusedImage ? error.message : error),
  )

/** Growth of the process in bytes, and its CPU time in ms. */
async function cost(work: () => Promise<unknown>) {
  const before = process.memoryUsage.rss()
  const started = process.cpuUsage()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 1)
  await work()
  clearInterval(timer)
  const { user, system } = process.cpuUsage(started)
  return { growth: Math.max(peak, process.memoryUsage.rss()) - before, time: (user + system) / 1000 }
}

const chunk = (type: string, data: Buffer) => {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length)
  bytes.write(type, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), data.length + 8)
  return bytes
}
const png = (width: number, height: number, ...chunks: Buffer[]) => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))])
}

/** A gif of frames with one pixel, 23 bytes each; the screen's sides are in pixels. */
const endless = (side: number, frames: number) => {
  const screen = Buffer.from([
    side & 255,
    side >> 8,
    side & 255,
    side >> 8,
    0x80,
    0,
    0,
    0,
    0,
    0,
    255,
    255,
    255,
  ])
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([Buffer.from('GIF89a'), screen, ...Array(frames).fill(frame), Buffer.from([0x3b])])
}

/** A grey jpeg of 50 megapixels in a number of scans, 45 bytes each. */
function layered(scans: number) {
  const segment = (marker: number, ...data: number[]) =>
    Buffer.from([0xff, marker, 0, data.length + 2, ...data])
  const table = (id: number, symbol: number) => segment(0xc4, id, 1, ...Array(15).fill(0), symbol)
  // One code, 'this and the next 16,384 blocks are unchanged': a zero and 14 more zeros.
  const nothing = Buffer.alloc(90)
  const bands = Array.from({ length: scans - 1 }, (_, i) => {
    const [band, bit] = [1 + (i % 63), 12 - Math.floor(i / 63)]
    return [segment(0xda, 1, 1, 0, band, band, bit === 12 ? 12 : ((bit + 1) << 4) | bit), nothing]
  })
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array(64).fill(1)),
    segment(0xc2, 8, 24, 0, 31, 224, 1, 1, 0x11, 0),
    table(0, 0),
    table(0x10, 0xe0),
    segment(0xda, 1, 1, 0, 0, 0, 0),
    Buffer.alloc((1020 * 768) / 8),
    ...bands.flat(),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** A webp of tiny frames on a canvas with these sides, 48 bytes each. */
const film = async (side: number, frames: number) => {
  const block = (type: string, data: Buffer) => {
    const bytes = Buffer.alloc(8)
    bytes.write(type, 'latin1')
    bytes.writeUInt32LE(data.length, 4)
    return Buffer.concat([bytes, data])
  }
  const canvas = Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  canvas.writeUIntLE(side - 1, 4, 3)
  canvas.writeUIntLE(side - 1, 7, 3)
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: 'teal' } })
  const drawn = (await pixel.webp({ lossless: true }).toBuffer()).subarray(12)
  const frame = block('ANMF', Buffer.concat([Buffer.alloc(16), drawn]))
  const all = [block('VP8X', canvas), block('ANIM', Buffer.alloc(6)), ...Array(frames).fill(frame)]
  return block('RIFF', Buffer.concat([Buffer.from('WEBP'), ...all]))
}

/** A lossless webp of one pixel that claims the maximum, 16,384 pixels a side. */
const claiming = async () => {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: 'teal' } })
  const bytes = await pixel.webp({ lossless: true }).toBuffer()
  bytes.writeUInt32LE(2 ** 28 - 1, 21)
  return bytes
}

/** A small avif that claims these sides. */
const avif = async (side: number, claimed: number) => {
  const picture = sharp({ create: { width: side, height: side, channels: 3, background: 'teal' } })
  const bytes = await picture.avif({ effort: 0 }).toBuffer()
  const at = bytes.indexOf('ispe') + 8
  bytes.writeUInt32BE(claimed, at)
  bytes.writeUInt32BE(claimed, at + 4)
  return bytes
}

const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
const size = { width: 4000, height: 3000, channels: 3, background: 'teal' } as const
const jpeg = await sharp({ create: { ...size, noise } })
  .jpeg()
  .toBuffer()
/** The cost of an ordinary photo of 12 megapixels. Bombs are compared with it: on a busy machine both take longer. */
const photo = await cost(() => makeRenditions(jpeg))

const rows = Buffer.alloc(1_000_000)
test.each([
  ['a png of 256 megapixels', /50 megapixels/, png(16_384, 16_384, chunk('IDAT', deflateSync(rows)))],
  ['a png that claims 4 gigapixels', /50 megapixels/, png(65_535, 65_535, chunk('IDAT', deflateSync(rows)))],
  [
    'a png that claims 49 megapixels and holds one',
    /damaged/,
    png(7000, 7000, chunk('IDAT', deflateSync(rows))),
  ],
  ['an endless gif', /animation is too long/, endless(10, 430_000)],
  ['a gif of few large frames', /animation is too long/, endless(1100, 50)],
  ['a jpeg in 800 layers', /too costly/, layered(800)],
  ['an endless webp', /animation is too long/, await film(1, 200_000)],
  ['a webp of few large frames', /animation is too long/, await film(1100, 50)],
  ['a webp that claims 256 megapixels', /50 megapixels|damaged/, await claiming()],
  ['an avif that claims 4 gigapixels', /50 megapixels/, await avif(64, 65_535)],
  ['an avif that claims 49 megapixels and holds few', /damaged/, await avif(64, 7000)],
  ['an avif of more pixels than it claims', /damaged/, await avif(1000, 64)],
])('%s is refused within 100 MB, and in less time than a photo takes', async (_, message, bytes) => {
  const { growth, time } = await cost(async () => expect(await refusal(bytes)).toMatch(message))
  expect(growth).toBeLessThan(100e6)
  expect(time).toBeLessThan(photo.time)
})

test('a jpeg of 90 scans with 50 megapixels stays within the time limit', async () => {
  // The limit is wall-clock time: on a busy machine it may be refused.
  const { time } = await cost(async () => expect(await refusal(layered(90))).toMatch(/accepted|too costly/))
  expect(time).toBeLessThan(3000)
})

test('compressed texts of gigabytes are not unpacked', async () => {
  const text = chunk(
    'zTXt',
    Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(7_900_000), { level: 9 })]),
  )
  const bytes = png(8, 8, ...Array(400).fill(text), chunk('IDAT', deflateSync(Buffer.alloc(72))))
  const { growth, time } = await cost(async () =>
    expect(await makeRenditions(bytes)).toMatchObject({ width: 8 }),
  )
  expect(growth).toBeLessThan(100e6)
  expect(time).toBeLessThan(photo.time)
})
