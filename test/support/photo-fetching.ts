import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { queue } from '#draft-pictures/draft-pictures.ts'
import { fetchFile } from '#draft-pictures/fetch-file.ts'
import { fetchPictures } from '#draft-pictures/fetch-job.ts'
import { openPhotoServer, type PhotoServer } from './photo-server.ts'
import { pngOf } from './sample-pictures.ts'
import { openShop, type Person, type TestShop } from './shop.ts'

const SOURCE = { host: 'i.etsystatic.com', maxBytes: 10 * 2 ** 20, connectMs: 5_000, totalMs: 5_000 }
export const photo = pngOf(300, 200)
export const photoUrl = (name: string): string => `https://i.etsystatic.com/1/r/il/${name}.jpg`

/** A shop and a server that photos of drafts are fetched from, for the tests of a file; a new maker for each of them. */
export class PhotoFetching {
  shop!: TestShop
  server!: PhotoServer
  ana!: Person
  /** What the server answers with. */
  answer: RequestListener = (_, response) => response.end(photo)

  constructor() {
    beforeAll(async () => {
      // Its own job does not run: these tests fetch from their own server.
      this.shop = await openShop()
      this.server = await openPhotoServer((request, response) => this.answer(request, response))
    })
    afterAll(async () => {
      await this.shop.close()
      await this.server.close()
    })
    beforeEach(async () => {
      this.ana = await this.shop.signUp('ana')
      this.server.asked.length = 0
      this.answer = (_, response) => response.end(photo)
    })
    afterEach(() => this.shop.rows('delete from draft_pictures'))
  }

  /** A draft that waits for so many photos, or for those at these addresses. @returns its id */
  draft = async (photos: number | string[] = 0): Promise<number> => {
    const [{ id }] = await this.shop.rows(
      `insert into drafts (seller_id, fields) values (${this.ana.user.id}, '{"name": "Mug"}') returning id`,
    )
    const urls =
      typeof photos === 'number' ? Array.from({ length: photos }, (_, n) => photoUrl(`${id}-${n}`)) : photos
    await queue(this.shop.db, this.ana.user.id, [{ draft: id, urls }])
    return id
  }

  /** One run of the job. */
  fetchAll = (signal = new AbortController().signal): Promise<void> =>
    fetchPictures(this.shop.app, signal, (url, signal) => fetchFile(url, SOURCE, signal, this.server.network))

  progress = async () => (await this.ana.get('/api/import/photos')).body

  photosOf = (id: number) =>
    this.shop.rows(
      `select position from images where draft_id = ${id} or product_id = ${id} order by position`,
    )
}
