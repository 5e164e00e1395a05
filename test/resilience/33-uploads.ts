import { readdirSync } from 'node:fs'
import { cp, utimes } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { type RealShop, until, withShop } from '../support/harness.ts'
import { type Person, times } from '../support/person.ts'
import { Faults, milliseconds, type Scenario } from '../support/scenario.ts'

const MB = 1024 * 1024
/** The limit of concurrent uploads per user: half of all. */
const SLOW = 4
/** The shop ends a slow upload within so many ms. */
const SLOW_MS = 20_000
/** The cleanup at start takes at most so many ms. */
const SWEPT_MS = 10_000
const DAMAGED = 'The form is damaged or incomplete; please send it again'

/** Sends the first bytes of an upload over a socket, then cuts it. @returns the status, 0 without a response */
function cut(shop: RealShop, person: Person, url: string, bytes: Buffer, announced: number): Promise<number> {
  return new Promise(resolve => {
    const socket = connect(shop.port, '127.0.0.1')
    let received = ''
    socket.on('data', part => {
      received += part
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? 0)))
    socket.write(headOf(person, url, announced))
    socket.write(Buffer.concat([Buffer.from(part), bytes]))
    setTimeout(() => socket.destroy(), 500)
  })
}
/** Sends an upload at a few bytes a second until the shop ends it. @returns the status and the duration, ms */
function trickle(shop: RealShop, person: Person, url: string): Promise<{ status: number; took: number }> {
  return new Promise(resolve => {
    const began = performance.now()
    const socket = connect(shop.port, '127.0.0.1')
    let received = ''
    socket.on('data', part => {
      received += part
    })
    socket.on('error', () => {})
    socket.write(headOf(person, url, MB) + part)
    const drops = setInterval(() => socket.write('xxxx'), 500)
    const timer = setTimeout(() => socket.destroy(), 2 * SLOW_MS)
    socket.on('close', () => {
      clearInterval(drops)
      clearTimeout(timer)
      resolve({
        status: Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? 0),
        took: performance.now() - began,
      })
    })
  })
}

const headOf = (person: Person, url: string, announced: number) =>
  `POST ${url} HTTP/1.1\r\nhost: x\r\ncookie: ${person.cookie}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${announced}\r\n\r\n`
const part = '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n'

/** Folders of stored files, complete or not. */
function folders(shop: RealShop): string[] {
  const uploads = join(shop.dataDir, 'uploads')
  return readdirSync(uploads).flatMap(of =>
    readdirSync(join(uploads, of)).map(name => join(uploads, of, name)),
  )
}

export const scenario: Scenario = {
  risk: 'size, aborted and slow uploads',
  slow: true,
  promise:
    '10 MB + 1, 100 MB, no boundary, no file, cut midway: 413 or 400, no orphan files after the cleanup',
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
        name: string,
        { status, body }: { status: number; body?: { message?: string } },
        ...allowed: number[]
      ) =>
        faults.expect(
          allowed.includes(status) && (body === undefined || /\w/.test(body.message ?? '')),
          `${name}: ${status}`,
        )
      const accepted = await ana.upload(url, photo)
      faults.expect(accepted.status === 201, `a good photo: ${accepted.status}`)
      expect('10 MB + 1', await ana.upload(url, Buffer.alloc(10 * MB + 1)), 413)
      // The early response may end the connection while the file is sent.
      const huge = await ana.upload(url, Buffer.alloc(100 * MB)).catch(() => undefined)
      if (huge) expect('100 MB', huge, 413)
      else expect('100 MB', { status: await cut(shop, ana, url, Buffer.alloc(MB), 100 * MB) }, 413)
      for (const type of ['multipart/form-data', 'multipart/form-data; boundary=']) {
        const { status, body } = await send(`${part}x\r\n--x--\r\n`, type)
        faults.expect(status === 400 && body.message === DAMAGED, `no boundary: ${status}`)
      }
      expect('no file', await send('--x--\r\n', 'multipart/form-data; boundary=x'), 400)
      expect('cut midway', await send(`${part}${'x'.repeat(1000)}`, 'multipart/form-data; boundary=x'), 400)
      const slow = times(SLOW, () => trickle(shop, ana, url))
      for (let n = 0; n < 20; n++)
        await cut(shop, ana, url, photo.subarray(0, (photo.length * n) / 20), photo.length + 200)
      const ended = await slow
      const longest = Math.max(...ended.map(({ took }) => took))
      for (const { status } of ended) faults.expect(status === 408, `a slow upload: ${status}`)
      faults.expect(longest < SLOW_MS, `a slow upload was ended after ${milliseconds(longest)}`)
      // A killed process may leave a file, until a later cleanup.
      for (let n = 0; n < 5; n++) {
        const dying = Promise.all([1, 2, 3].map(() => ana.upload(url, photo).catch(() => undefined)))
        await sleep(30 + 40 * n)
        await shop.kill()
        await dying
        await shop.start()
      }
      const named = (await shop.rows('select folder from images')).map(row => row.folder as string)
      // Leftovers of processes killed before the row was inserted, and while files were written.
      const [stored = ''] = folders(shop)
      await cp(stored, join(dirname(stored), 'ab'.repeat(16)), { recursive: true })
      await cp(stored, join(dirname(stored), `${'cd'.repeat(16)}.part`), { recursive: true })
      const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
      for (const folder of folders(shop)) await utimes(folder, yesterday, yesterday)
      const before = folders(shop).length
      // As if an hour had passed: the shop cleans up at start and hourly.
      await shop.rows(`delete from pgboss.job where name = 'cleanup'`)
      await shop.stop()
      await shop.start()
      const nameOf = (path: string) => path.split('/').at(-1) ?? ''
      const orphaned = () =>
        folders(shop)
          .map(nameOf)
          .filter(name => !named.includes(name))
      await until(SWEPT_MS, async () => orphaned().length === 0).catch(() => {})
      const left = folders(shop).map(nameOf)
      const orphans = orphaned()
      faults.expect(orphans.length === 0, `${orphans.length} orphans after the sweep`)
      faults.expect(
        named.every(folder => left.includes(folder)),
        'a picture was swept away',
      )
      return faults.outcome(
        `413 and 400 with a message; ${SLOW} uploads at 8 bytes/s ended with 408 after ${milliseconds(longest)} at most; 20 uploads cut, ${SLOW} slow ones and 5 crashes left ${before - named.length - 2} orphans, with 2 added by hand ${before - named.length}; ${orphans.length} were left after the cleanup`,
      )
    }),
}
