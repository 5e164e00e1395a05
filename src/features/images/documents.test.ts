import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeRenditions } from './renditions.ts'

/** A document of one page with the given drawing commands. */
const pdf = (content: string) =>
  Buffer.from(`%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >> endobj
4 0 obj << /Length ${content.length} >> stream\n${content}\nendstream endobj
trailer << /Root 1 0 R >>\n%%EOF\n`)
/** Exceeds the time limit. */
const slow = () => pdf('0 0 m 200 100 l 0 100 l 200 0 l f '.repeat(250_000))
const quick = () => pdf('1 0 0 rg 0 0 100 100 re f')

test('a slow document ends after 5 s, its time is reported, and no photo waits for it', async () => {
  const done: string[] = []
  const times: number[] = []
  const spent = async (ms: number) => void times.push(ms)
  const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const ana = makeRenditions(slow(), { id: 1, spent }).finally(() => done.push('slow document'))
  const others = [
    makeRenditions(quick(), { id: 2, spent }).then(() => done.push('document')),
    ...[3, 4, 5].map(id => makeRenditions(photo, { id }).then(() => done.push('photo'))),
  ]
  // One at a time per user: the others would wait four times as long.
  for (const bytes of [slow(), quick()])
    await expect(makeRenditions(bytes, { id: 1, spent })).rejects.toMatchObject({
      status: 429,
      retryAfter: 5,
    })
  // It is valid, so it is stored.
  expect(await ana).toMatchObject({ kind: 'document', width: null, widths: [] })
  await Promise.all(others)
  expect(done).toEqual(['photo', 'photo', 'photo', 'slow document', 'document'])
  expect(times[0]).toBeGreaterThan(4_500)
  expect(times[1]).toBeLessThan(times[0] ?? 0)
  // The user's next one is accepted.
  expect(await makeRenditions(quick(), { id: 1 })).toMatchObject({ kind: 'document', width: 1400 })
}, 30_000)

test('a user above the document limit is refused', async () => {
  const spent = () => Promise.reject(new Error('used up'))
  await expect(makeRenditions(quick(), { id: 1, spent })).rejects.toThrow('used up')
})
