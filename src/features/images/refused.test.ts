import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { NOT_A_PICTURE, validateFile, WRONG_TYPE } from './contract.ts'
import { RefusedImage } from './refused-image.ts'
import { makeRenditions } from './renditions.ts'

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

async function film(width: number, height: number, frames: number) {
  const images = Array.from({ length: frames }, () => photo(width, height).png())
  return sharp(await Promise.all(images.map(image => image.toBuffer())), { join: { animated: true } })
}

const refusal = (bytes: Uint8Array) =>
  makeRenditions(Buffer.from(bytes), { id: 1 }).then(
    () => 'accepted',
    error => (error instanceof RefusedImage ? error.message : error),
  )

test('a truncated pdf, or a page that only mentions one, is refused', async () => {
  for (const bytes of [
    '%PDF-1.7',
    '%PDF-1.7\n%%EO',
    '%PDF-1.7\n%%EOF\n',
    '<script>alert(1)</script>%PDF-1.7\n%%EOF',
  ])
    expect(await refusal(Buffer.from(bytes))).toMatch(/document is damaged/)
})

test('other types are refused, with any name and media type', async () => {
  const html = '<!doctype html><script>alert(1)</script>'
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  for (const text of [html, svg, 'GIF88a', 'RIFF    WAVE', '\0\0\0\x10ftypheic\0\0\0\0', 'BM', 'x'])
    expect(await refusal(Buffer.from(text))).toBe(WRONG_TYPE)
  expect(await refusal(await photo(9, 9).tiff().toBuffer())).toBe(WRONG_TYPE)
  expect(await refusal(Buffer.alloc(0))).toMatch(/empty/)
})

test('the form checks types by name or by the browser’s media type, as the server does', () => {
  for (const name of ['a.jpg', 'a.JPEG', 'a.png', 'a.gif', 'a.webp', 'a.avif', 'a.pdf'])
    expect(validateFile({ name, size: 1, type: '' })).toBeUndefined()
  for (const type of ['image/webp', 'image/avif'])
    expect(validateFile({ name: 'a', size: 1, type }, 'pictures')).toBeUndefined()
  for (const name of ['a.bmp', 'a.svg', 'a.tiff', 'a.heic', 'a.txt', 'a.mp4', 'webp']) {
    expect(validateFile({ name, size: 1, type: '' })).toBe(WRONG_TYPE)
    expect(validateFile({ name, size: 1, type: '' }, 'pictures')).toBe(NOT_A_PICTURE)
  }
})

test('no other decoder can run', async () => {
  const tiff = await photo(9, 9).tiff().toBuffer()
  await expect(sharp(tiff).metadata()).rejects.toThrow('unsupported image format')
  await expect(sharp(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')).metadata()).rejects.toThrow()
})

test('damaged and truncated pictures are refused', async () => {
  for (const whole of [
    await photo(300, 200).jpeg().toBuffer(),
    await photo(300, 200).jpeg({ progressive: true }).toBuffer(),
    await photo(300, 200).png().toBuffer(),
    await film(300, 200, 3).then(pictures => pictures.gif().toBuffer()),
    await photo(300, 200).webp().toBuffer(),
    await film(300, 200, 3).then(pictures => pictures.webp().toBuffer()),
    await photo(300, 200).avif({ effort: 0 }).toBuffer(),
  ])
    for (const length of [16, 30, whole.length >> 1, Math.floor(whole.length * 0.95)])
      expect(await refusal(whole.subarray(0, length))).toMatch(/picture is damaged/)
})

test('data after or inside a picture is removed', async () => {
  const payload = Buffer.from('<script>alert("canary")</script>')
  const jpeg = await photo(300, 200)
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">canary</x:xmpmeta>')
    .jpeg()
    .toBuffer()
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, payload.length]), payload, Buffer.from([0])])
  const gif = await film(30, 20, 2).then(pictures => pictures.gif().toBuffer())
  for (const original of [
    Buffer.concat([jpeg, payload]),
    Buffer.concat([await photo(300, 200).png().toBuffer(), payload]),
    Buffer.concat([await photo(300, 200).webp().toBuffer(), payload]),
    Buffer.concat([await photo(300, 200).avif({ effort: 0 }).toBuffer(), payload]),
    Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1), payload]),
  ]) {
    expect(original.includes('canary')).toBe(true)
    for (const { bytes } of (await makeRenditions(original)).files)
      expect(bytes.includes('canary')).toBe(false)
  }
})

test('a picture beyond the time limit is refused', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(10_001)
  expect(await refusal(await photo(300, 200).jpeg().toBuffer())).toMatch(/too costly/)
  now.mockRestore()
})

test('two uploads run, sixteen wait, more are refused, and then all work again', async () => {
  const bytes = await photo(300, 200).jpeg().toBuffer()
  const responses = await Promise.allSettled(Array.from({ length: 25 }, () => makeRenditions(bytes)))
  const refused = responses
    .filter(response => response.status === 'rejected')
    .map(response => response.reason)
  expect(refused).toHaveLength(25 - 18)
  for (const error of refused) expect(error).toMatchObject({ status: 503, retryAfter: 5 })
  await Promise.all(Array.from({ length: 18 }, () => makeRenditions(bytes)))
  expect(sharp.counters()).toEqual({ queue: 0, process: 0 })
})

test('a damaged upload frees its slot', async () => {
  const whole = await photo(300, 200).jpeg().toBuffer()
  for (let i = 0; i < 20; i++) await refusal(whole.subarray(0, whole.length >> 1))
  expect(await makeRenditions(whole)).toMatchObject({ width: 300 })
})
