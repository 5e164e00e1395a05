import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeRenditions, type Renditions } from './renditions.ts'

const solid = (width: number, height: number, background = 'teal') =>
  sharp({ create: { width, height, channels: 3, background } })
const photo = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'teal',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })

async function film(format: 'gif' | 'webp', width: number, height: number, frames: number, delay = 70) {
  const images = Array.from({ length: frames }, (_, i) =>
    solid(width, height, `hsl(${i * 40}, 90%, 50%)`).png(),
  )
  return sharp(await Promise.all(images.map(image => image.toBuffer())), { join: { animated: true } })
    .toFormat(format, { delay: Array(frames).fill(delay), loop: 3 })
    .toBuffer()
}

const pdf = Buffer.from(`%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >> endobj
4 0 obj << /Length 27 >> stream\n1 0 0 rg 0 0 100 100 re f  \nendstream endobj
trailer << /Root 1 0 R >>\n%%EOF\n`)

const rendition = (prepared: Renditions, width: number) =>
  prepared.files.find(file => file.name === `${width}.webp`)!.bytes
const average = async (image: Buffer, left: number, top: number, width: number, height: number) => [
  ...(await sharp(image).extract({ left, top, width, height }).resize(1, 1).removeAlpha().raw().toBuffer()),
]

test('a photo of any type becomes webp in four widths', async () => {
  for (const original of [
    await solid(2000, 1000).jpeg().toBuffer(),
    await solid(2000, 1000).png().toBuffer(),
    await solid(2000, 1000).webp({ effort: 0 }).toBuffer(),
    await solid(2000, 1000).avif({ effort: 0 }).toBuffer(),
  ]) {
    const prepared = await makeRenditions(original)
    expect(prepared).toMatchObject({
      kind: 'picture',
      width: 1400,
      height: 700,
      widths: [320, 640, 960, 1400],
    })
    expect(prepared.files.map(file => [file.name, file.type])).toEqual(
      prepared.widths.map(width => [`${width}.webp`, 'image/webp']),
    )
    for (const width of prepared.widths)
      expect(await sharp(rendition(prepared, width)).metadata()).toMatchObject({
        format: 'webp',
        width,
        height: width / 2,
      })
  }
})

test('a card picture is small, however detailed', async () => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  const fleece = sharp({ create: { width: 1500, height: 1500, channels: 3, background: 'white', noise } })
  const { widths, files } = await makeRenditions(await fleece.jpeg({ quality: 90 }).toBuffer())
  expect(widths).toEqual([320, 640, 960, 1400])
  for (const { name, bytes } of files)
    if (Number.parseInt(name, 10) <= 640) expect(bytes.length, name).toBeLessThanOrEqual(40_000)
})

test('nothing is enlarged', async () => {
  expect(await makeRenditions(await photo(700, 500).jpeg().toBuffer())).toMatchObject({
    width: 700,
    height: 500,
    widths: [320, 640, 700],
  })
  expect(await makeRenditions(await photo(640, 10).png().toBuffer())).toMatchObject({ widths: [320, 640] })
  expect(await makeRenditions(await photo(1, 1).gif().toBuffer())).toMatchObject({
    kind: 'picture',
    widths: [1],
    height: 1,
  })
})

test('a very tall picture is bounded by its height', async () => {
  const prepared = await makeRenditions(await solid(1000, 20_000).png().toBuffer())
  expect(prepared).toMatchObject({ width: 140, height: 2800, widths: [140] })
  expect(await makeRenditions(await solid(1, 30_000).png().toBuffer())).toMatchObject({
    width: 1,
    height: 2800,
  })
})

test('an animation is not rotated, and keeps its proportions', async () => {
  const turned = await sharp(await film('webp', 400, 300, 3), { animated: true })
    .withMetadata({ orientation: 6 })
    .webp()
    .toBuffer()
  expect((await sharp(turned).metadata()).orientation).toBe(6)
  expect(await makeRenditions(turned)).toMatchObject({ kind: 'animation', width: 400, height: 300 })
})

test('a photo is rotated upright and loses its metadata', async () => {
  // Rotated by 90 degrees: the stored left is the top.
  const stored = await solid(800, 600, 'blue')
    .composite([{ input: await solid(400, 600, 'red').png().toBuffer(), left: 0, top: 0 }])
    .withExif({ IFD0: { Make: 'Canary' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><canary/></x:xmpmeta>')
    .withIccProfile('p3')
    .jpeg()
    .toBuffer()
  const turned = Buffer.from(stored)
  const tag = turned.indexOf(Buffer.from([0x12, 0x01, 0x03, 0x00]))
  turned[tag + 8] = 6
  expect((await sharp(turned).metadata()).orientation).toBe(6)
  for (const original of [
    turned,
    await sharp(turned).keepMetadata().withMetadata({ orientation: 6 }).png().toBuffer(),
    await sharp(turned).keepMetadata().withMetadata({ orientation: 6 }).webp().toBuffer(),
    // An avif has its rotation in its own boxes, which sharp does not write.
    await sharp(turned).autoOrient().keepMetadata().avif({ effort: 0 }).toBuffer(),
  ]) {
    expect(original.includes('Canary')).toBe(true)
    const prepared = await makeRenditions(original)
    expect(prepared).toMatchObject({ width: 600, height: 800 })
    const [red, , blue] = await average(rendition(prepared, 320), 0, 0, 320, 200)
    expect(red).toBeGreaterThan(200)
    expect(blue).toBeLessThan(50)
    for (const { bytes } of prepared.files) {
      const { exif, xmp, icc, orientation } = await sharp(bytes).metadata()
      expect([exif, xmp, icc, orientation]).toEqual([undefined, undefined, undefined, undefined])
      expect(bytes.toString('latin1')).not.toMatch(/canary|exif|xmp/i)
    }
  }
})

test.each(['gif', 'webp'] as const)('a %s keeps moving, at its own pace, in every width', async format => {
  const prepared = await makeRenditions(await film(format, 400, 300, 5))
  expect(prepared).toMatchObject({ kind: 'animation', width: 400, height: 300, widths: [320, 400] })
  for (const width of prepared.widths)
    expect(await sharp(rendition(prepared, width), { animated: true }).metadata()).toMatchObject({
      pages: 5,
      width,
      pageHeight: width * 0.75,
      delay: Array(5).fill(70),
      loop: 3,
    })
})

test('a pdf shows its first page and is stored', async () => {
  const prepared = await makeRenditions(pdf, { id: 1 })
  expect(prepared).toMatchObject({
    kind: 'document',
    width: 1400,
    height: 700,
    widths: [320, 640, 960, 1400],
  })
  expect(prepared.files.at(-1)).toEqual({ name: 'document.pdf', bytes: pdf, type: 'application/pdf' })
  const [red, green] = await average(rendition(prepared, 320), 10, 10, 100, 100)
  expect(red).toBeGreaterThan(240)
  expect(green).toBeLessThan(15)
  expect(await makeRenditions(Buffer.concat([Buffer.from('\r\n'), pdf]), { id: 1 })).toMatchObject({
    width: 1400,
  })
})
