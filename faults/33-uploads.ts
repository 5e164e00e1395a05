import { readdirSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { Person } from '../test/person.ts'
import { type RealShop, withShop } from './ground.ts'
import { Faults, type Row } from './row.ts'

const MB = 1024 * 1024
const DAMAGED = 'The form is damaged or incomplete; please send it again'

/** Sends a beginning of an upload over a socket, then cuts it. @returns the status, 0 where there was no answer */
function cut(shop: RealShop, person: Person, url: string, bytes: Buffer, announced: number): Promise<number> {
  return new Promise(resolve => {
    const socket = connect(shop.port, '127.0.0.1')
    let said = ''
    socket.on('data', part => {
      said += part
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(said)?.[1] ?? 0)))
    socket.write(
      `POST ${url} HTTP/1.1\r\nhost: x\r\ncookie: ${person.cookie}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${announced}\r\n\r\n`,
    )
    socket.write(Buffer.concat([Buffer.from(part), bytes]))
    setTimeout(() => socket.destroy(), 500)
  })
}
const part = '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n'

/** Folders of stored files, finished or not. */
function folders(shop: RealShop): string[] {
  const uploads = join(shop.dataDir, 'uploads')
  return readdirSync(uploads).flatMap(of =>
    readdirSync(join(uploads, of)).map(name => join(uploads, of, name)),
  )
}

export const row: Row = {
  risk: 'size, aborted and slow uploads',
  promise: '10 MB + 1, 100 MB, no boundary, no file, cut midway: 413 or 400, no orphan files after the sweep',
  run: () =>
    withShop({}, async shop => {
      const faults = new Faults()
      const ana = await shop.signUp('ana')
      const { id } = await shop.list(ana)
      const url = `/api/products/${id}/images`
      const send = (body: string, type: string) =>
        ana.send({ method: 'POST', url, headers: { 'content-type': type }, payload: body })
      const photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
      const expect = (
        what: string,
        { status, body }: { status: number; body?: { message?: string } },
        ...allowed: number[]
      ) =>
        faults.expect(
          allowed.includes(status) && (body === undefined || /\w/.test(body.message ?? '')),
          `${what}: ${status}`,
        )
      const whole = await ana.upload(url, photo)
      faults.expect(whole.status === 201, `a good photo: ${whole.status}`)
      expect('10 MB + 1', await ana.upload(url, Buffer.alloc(10 * MB + 1)), 413)
      // The answer comes before the file has been sent, which may end the connection while it is being sent.
      const huge = await ana.upload(url, Buffer.alloc(100 * MB)).catch(() => undefined)
      if (huge) expect('100 MB', huge, 413)
      else expect('100 MB', { status: await cut(shop, ana, url, Buffer.alloc(MB), 100 * MB) }, 413)
      for (const type of ['multipart/form-data', 'multipart/form-data; boundary=']) {
        const { status, body } = await send(`${part}x\r\n--x--\r\n`, type)
        faults.expect(status === 400 && body.message === DAMAGED, `no boundary: ${status}`)
      }
      expect('no file', await send('--x--\r\n', 'multipart/form-data; boundary=x'), 400)
      expect('cut midway', await send(`${part}${'x'.repeat(1000)}`, 'multipart/form-data; boundary=x'), 400)
      for (let n = 0; n < 20; n++)
        await cut(shop, ana, url, photo.subarray(0, (photo.length * n) / 20), photo.length + 200)
      // An upload whose process dies: a file may be left behind, until the sweep of a later day.
      for (let n = 0; n < 5; n++) {
        const dying = Promise.all([1, 2, 3].map(() => ana.upload(url, photo).catch(() => undefined)))
        await sleep(30 + 40 * n)
        await shop.kill()
        await dying
        await shop.start()
      }
      const kept = (await shop.rows('select folder from images')).map(row => row.folder as string)
      const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
      for (const folder of folders(shop)) await utimes(folder, yesterday, yesterday)
      const before = folders(shop).length
      await sweep(shop)
      const left = folders(shop).map(path => path.split('/').at(-1) ?? '')
      const orphans = left.filter(name => !kept.includes(name))
      faults.expect(orphans.length === 0, `${orphans.length} orphans after the sweep`)
      faults.expect(
        kept.every(folder => left.includes(folder)),
        'a picture was swept away',
      )
      return faults.outcome(
        `413 and 400 in words; 20 uploads cut and 5 crashes left ${before - kept.length} files behind, ${orphans.length} after the sweep`,
      )
    }),
}

/** What the shop does once an hour, at once. */
async function sweep(shop: RealShop): Promise<void> {
  const { sweepFiles } = await import('../src/images/images.ts')
  const { connect: open, shopId } = await import('../src/server/database/database.ts')
  const { localFiles } = await import('../src/server/files/files.ts')
  const { db, close } = open(shop.connection(), 2)
  try {
    await sweepFiles(db, localFiles(join(shop.dataDir, 'uploads', await shopId(db))))
  } finally {
    await close()
  }
}
