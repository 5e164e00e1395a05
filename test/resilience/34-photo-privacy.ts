import sharp from 'sharp'
import { withShop } from '../support/harness.ts'
import { Faults, type Scenario } from '../support/scenario.ts'

const pdf = Buffer.from(`%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert("canary")) >> >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] >> endobj
trailer << /Root 1 0 R >>
%%EOF
`)

/** A photo as from a phone: rotated (left half red, right half blue), with its location. */
async function phonePhoto(): Promise<Buffer> {
  const blue = await sharp({ create: { width: 100, height: 100, channels: 3, background: 'blue' } })
    .png()
    .toBuffer()
  return sharp({ create: { width: 200, height: 100, channels: 3, background: 'red' } })
    .composite([{ input: blue, left: 100, top: 0 }])
    .withExif({
      IFD0: { Make: 'canary', Artist: 'canary' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 31/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 24/1 0/1',
      },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">canary</x:xmpmeta>')
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
}

export const scenario: Scenario = {
  risk: 'privacy of photos',
  promise:
    'jpeg with GPS and orientation; pdf with scripts: no metadata, upright; pdf served as an attachment, sandboxed',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const ana = await shop.signUp('ana')
      const photo = await phonePhoto()
      faults.expect(
        photo.includes('canary') && (await sharp(photo).metadata()).orientation === 6,
        'the original photo has no metadata',
      )
      const { id } = await shop.list(ana)
      const { body } = await ana.upload(`/api/products/${id}/images`, photo, 'photo.jpg')
      const served = Buffer.from(await (await fetch(shop.address + body.url)).arrayBuffer())
      const { exif, xmp, icc, iptc, orientation, width, height } = await sharp(served).metadata()
      faults.expect(!exif && !xmp && !icc && !iptc && orientation === undefined, 'metadata are served')
      faults.expect(!served.includes('canary'), 'the canary is served')
      // Rotated to the right by 90 degrees, the left is on top.
      const [top, bottom] = await Promise.all(
        [10, 150].map(y =>
          sharp(served).extract({ left: 40, top: y, width: 10, height: 10 }).resize(1, 1).raw().toBuffer(),
        ),
      )
      const upright = width === 100 && height === 200 && top![0]! > 200 && bottom![2]! > 200
      faults.expect(upright, `${width} × ${height}, not upright`)
      const document = await ana.upload(`/api/products/${id}/images`, pdf, 'pattern.pdf')
      const { headers } = await shop.visitor().get(String(document.body.document))
      faults.expect(
        String(headers['content-disposition']).startsWith('attachment'),
        'the pdf opens in the browser',
      )
      faults.expect(
        String(headers['content-security-policy']).includes('sandbox'),
        'the pdf is not sandboxed',
      )
      faults.expect(headers['x-content-type-options'] === 'nosniff', 'the pdf may be sniffed')
      return faults.outcome(
        `${width} × ${height}, upright, no metadata; the pdf: ${headers['content-disposition']}, ${headers['content-security-policy']}`,
      )
    }),
}
