import sharp from 'sharp'
import { withShop } from '../support/harness.ts'
import type { Person, Shop } from '../support/person.ts'
import { Faults, type Outcome, type Scenario } from '../support/scenario.ts'

const PAYLOAD = '<script>alert("canary")</script>'

/** Files with a wrong type: refused with a reason, or re-encoded without their payload. */
export async function badFiles(shop: Shop): Promise<Outcome> {
  const faults = new Faults()
  const ana = await shop.signUp('ana')
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
  const [jpeg, png, gif, webp, avif] = await Promise.all([
    picture.clone().jpeg().toBuffer(),
    picture.clone().png().toBuffer(),
    picture.clone().gif().toBuffer(),
    picture.clone().webp().toBuffer(),
    picture.clone().avif({ effort: 0 }).toBuffer(),
  ])
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload='alert("canary")'/>`
  const refused: [string, Buffer, string?][] = [
    ['empty', Buffer.alloc(0)],
    ['HTML named png', Buffer.from(`<!doctype html>${PAYLOAD}`), 'page.png'],
    ['SVG', Buffer.from(svg), 'drawing.svg'],
    ['SVG named png', Buffer.from(`<?xml version="1.0"?>${svg}`), 'drawing.png'],
    ['HTML with a pdf inside', Buffer.from(`${PAYLOAD}%PDF-1.7\n%%EOF`), 'page.pdf'],
    ['a program', Buffer.from('MZ\x90\x00'), 'photo.jpg'],
    ...[jpeg, png, gif, webp, avif].map(
      (file, n) => [`truncated ${n}`, file.subarray(0, file.length >> 1)] as [string, Buffer],
    ),
  ]
  const accepted: [string, Buffer, string?][] = [
    ['jpeg + HTML', Buffer.concat([jpeg, Buffer.from(PAYLOAD)])],
    ['png + HTML', Buffer.concat([png, Buffer.from(PAYLOAD)])],
    ['gif + HTML', Buffer.concat([gif, Buffer.from(PAYLOAD)])],
    ['webp + HTML', Buffer.concat([webp, Buffer.from(PAYLOAD)])],
    ['avif + HTML', Buffer.concat([avif, Buffer.from(PAYLOAD)])],
    ['png named html', png, 'photo.html'],
    ['../ name', png, '../../../etc/cron.d/photo.png'],
    ['name with NUL and breaks', png, 'a\0b\r\nset-cookie: x=y.png'],
  ]
  for (const [name, file, as] of refused) {
    const { status, body } = await upload(shop, ana, file, as)
    faults.expect(status === 400 && /\w/.test(body.message), `${name}: ${status}`)
  }
  for (const [name, file, as] of accepted) {
    const { status, body } = await upload(shop, ana, file, as)
    faults.expect(
      status === 201 && /^\/images\/[0-9a-f]{32}\/\d+\.webp$/.test(body.url),
      `${name}: ${status} ${body.url}`,
    )
    const served = await shop.visitor().get(String(body.url))
    faults.expect(
      served.headers['content-type'] === 'image/webp' && !String(served.body).includes('canary'),
      `${name}: the payload is served`,
    )
  }
  return faults.outcome(
    `${refused.length} files refused with a message, ${accepted.length} re-encoded without payload or path`,
  )
}

async function upload(shop: Shop, seller: Person, file: Buffer, name = 'photo.png') {
  const { id } = await shop.list(seller)
  return seller.upload(`/api/products/${id}/images`, file, name)
}

export const scenario: Scenario = {
  risk: 'malicious files',
  promise:
    'empty, truncated, HTML named png, jpeg + HTML, SVG, wrong extension, ../ names: refused, or re-encoded without the payload',
  tested: true,
  run: () => withShop({}, badFiles),
}
