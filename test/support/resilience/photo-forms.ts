import fc from 'fast-check'
import sharp from 'sharp'
import { latin } from '../arbitrary-headers.ts'
import { listingsFile } from '../etsy-files.ts'

const side = sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
const [png, jpeg, gif, webp, avif] = await Promise.all([
  side.png().toBuffer(),
  side.jpeg().toBuffer(),
  side.gif().toBuffer(),
  side.webp().toBuffer(),
  side.avif({ effort: 0 }).toBuffer(),
])
const file = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(png, jpeg, gif, webp, avif) },
  fc.constant(Buffer.from(listingsFile)),
  fc.constantFrom(
    png.subarray(0, 40),
    jpeg.subarray(0, 200),
    webp.subarray(0, 30),
    avif.subarray(0, 100),
    Buffer.from('<svg onload=alert(1)>'),
    Buffer.alloc(0),
  ),
  fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
)
const field = fc.oneof(
  { weight: 4, arbitrary: fc.constant('image') },
  { weight: 4, arbitrary: fc.constant('file') },
  fc.constantFrom('photo', '', '__proto__', 'image[]'),
)
const fileName = fc.oneof(fc.constantFrom('photo.png', '../../photo.jpg', 'x', 'a"b.png', '.gif'), latin)

/** Forms with a photo or a listings file: small ones, since valid ones are processed. */
export const photoForm: fc.Arbitrary<{ payload: Buffer; type: string }> = fc
  .record({
    parts: fc.array(fc.tuple(field, fileName, file), { minLength: 1, maxLength: 2 }),
    // Sometimes truncated.
    end: fc.constantFrom('--form--\r\n', '--form--\r\n', '--form--\r\n', '--form', ''),
  })
  .map(({ parts, end }) => ({
    type: 'multipart/form-data; boundary=form',
    payload: Buffer.concat([
      ...parts.flatMap(([field, name, bytes]) => [
        Buffer.from(
          `--form\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`,
        ),
        bytes,
        Buffer.from('\r\n'),
      ]),
      Buffer.from(end),
    ]),
  }))
