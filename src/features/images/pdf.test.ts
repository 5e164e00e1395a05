import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { constants, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { lockedPdf } from '../../../test/support/sample-pictures.ts'
import { firstPage, limitMemory, type Pixels } from './pdf.ts'

const WITHIN = { width: 1400, height: 2800 }

/** A document of one page in points, with the given drawing commands. */
function pdf({ box = '0 0 200 100', content = Buffer.from('1 0 0 rg 0 0 100 100 re f'), stream = '' } = {}) {
  return Buffer.concat([
    Buffer.from(`%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert) >> >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R >> endobj
4 0 obj << /Length ${content.length} ${stream} >> stream\n`),
    content,
    Buffer.from('\nendstream endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'),
  ])
}

/** A page that can be rendered. */
const drawn = async (bytes: Buffer) => (await firstPage(bytes, WITHIN)) as Pixels

const pixel = ({ data, info }: { data: Uint8Array; info: { width: number } }, x: number, y: number) => [
  ...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4),
]

test('the first page is rendered on white, as large as fits', async () => {
  const page = await drawn(pdf())
  expect(page.info).toEqual({ width: 1400, height: 700, channels: 4 })
  expect(pixel(page, 100, 350)).toEqual([255, 0, 0, 255])
  expect(pixel(page, 1300, 350)).toEqual([255, 255, 255, 255])
  expect((await drawn(pdf({ box: '0 0 100 1000' }))).info).toMatchObject({
    width: 280,
    height: 2800,
  })
  expect((await drawn(pdf({ box: '0 0 1000000000 1' }))).info).toMatchObject({
    width: 1400,
    height: 1,
  })
})

test('other files are not opened, a document with a password is', async () => {
  const junk = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(100_000), Buffer.from('\n%%EOF')])
  for (const bytes of ['', '%PDF-1.4\n%%EOF', `%PDF-1.4${'%'.repeat(9999)}`, pdf().subarray(0, 60), junk])
    expect(await firstPage(Buffer.from(bytes), WITHIN)).toBe('not opened')
  expect(await firstPage(lockedPdf(), WITHIN)).toBe('not drawn')
})

test('a page that unpacks to 800 MB stays within the memory limit', async () => {
  const megabyte = deflateRawSync(Buffer.alloc(2 ** 20, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  const content = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array(800).fill(megabyte)])
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 5)
  expect(await firstPage(pdf({ content, stream: '/Filter /FlateDecode' }), WITHIN)).toBe('not drawn')
  clearInterval(timer)
  expect(peak - before).toBeLessThan(450e6)
}, 120_000)

test('a rendered page is freed', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const pixels = await drawn(pdf()).then(page => new WeakRef(page.data))
  await expect
    .poll(() => {
      collect()
      return pixels.deref() === undefined
    })
    .toBe(true)
})

/** A module with nothing but a memory, exported as m; the maximum takes three bytes, as in the renderer. */
const memory = (flags: number, ...limits: number[]) => {
  const section = [1, flags, ...limits]
  return new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 5, section.length, ...section, 7, 5, 1, 1, 109, 2, 0])
}

test('a module cannot grow beyond its maximum', async () => {
  const { Module, Instance } = Reflect.get(globalThis, 'WebAssembly')
  const { exports } = new Instance(new Module(limitMemory(memory(1, 2, 0x80, 0x80, 2), 4096)))
  const m = exports.m as { grow(pages: number): number }
  expect(m.grow(4094)).toBe(2)
  expect(() => m.grow(1)).toThrow()
})

test('a module that declares its memory otherwise is refused', () => {
  for (const [flags, ...limits] of [
    [0, 2],
    [3, 2, 0x80, 0x80, 2],
    [1, 2, 3],
    [1, 0x81, 0x20, 0x80, 0x80, 2],
  ])
    expect(() => limitMemory(memory(flags!, ...limits), 4096)).toThrow('no memory whose maximum')
  expect(() => limitMemory(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]), 4096)).toThrow(
    'no memory whose maximum',
  )
})
