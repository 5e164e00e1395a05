import { crc32, deflateSync } from 'node:zlib'

/** Files that exhaust their decoders. */

const chunk = (type: string, data: Buffer) => {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length)
  bytes.write(type, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), data.length + 8)
  return bytes
}

/** A png that claims these sides, in pixels, and contains a million zeros. */
export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(1_000_000)))
  return Buffer.concat([signature, chunk('IHDR', header), pixels, chunk('IEND', Buffer.alloc(0))])
}

/** A gif with so many frames of one pixel each, 23 bytes long. */
export function endlessGif(frames: number): Buffer {
  const screen = Buffer.from([10, 0, 10, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([Buffer.from('GIF89a'), screen, ...Array(frames).fill(frame), Buffer.from([0x3b])])
}

/** A document of one page, 200 by 100 points, with these drawing commands and padding. */
export function pdfOf(content: string, more = Buffer.alloc(0)): Buffer {
  return Buffer.concat([
    Buffer.from(`%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >> endobj
4 0 obj << /Length ${content.length} >> stream\n${content}\nendstream endobj
5 0 obj << /Length ${more.length} >> stream\n`),
    more,
    Buffer.from('\nendstream endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'),
  ])
}

/** 8.5 MB, and slower to render than the shop allows. */
export const slowPdf = (): Buffer => pdfOf('0 0 m 200 100 l 0 100 l 200 0 l f '.repeat(250_000))

/** A document that is valid and cannot be rendered: it is encrypted with a password. */
export function lockedPdf(): Buffer {
  const key = '00'.repeat(32)
  const encrypt = `6 0 obj << /Filter /Standard /V 1 /R 2 /P -4 /O <${key}> /U <${key}> >> endobj`
  const open = pdfOf('1 0 0 rg 0 0 100 100 re f').toString('latin1')
  return Buffer.from(
    open.replace('trailer << ', `${encrypt}\ntrailer << /Encrypt 6 0 R /ID [<00> <00>] `),
    'latin1',
  )
}
