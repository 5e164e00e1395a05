import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { unsubscribePath } from '#platform/mail/unsubscribe.ts'
import { soon } from './expect.ts'
import { type MailServer, openMailServer } from './mail-server.ts'
import { openShop, type Person, type TestShop } from './shop.ts'

/** A shop that signs its letters with DKIM, for tests of letters that people can switch off. */
export class OptionalLetters {
  /** Public address of the shop. */
  readonly url = 'https://shop.example'
  shop!: TestShop
  mail!: MailServer
  /** Writes reviews. */
  ben!: Person

  constructor() {
    let folder: string
    beforeAll(async () => {
      this.mail = await openMailServer()
      folder = await mkdtemp(join(tmpdir(), 'dkim-'))
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const DKIM_KEY_FILE = join(folder, 'key.pem')
      await writeFile(DKIM_KEY_FILE, privateKey.export({ type: 'pkcs8', format: 'pem' }))
      const dkim = { DKIM_SELECTOR: 'mail', DKIM_KEY_FILE }
      const settings = { ...this.mail.settings, ...dkim, PUBLIC_URL: this.url }
      this.shop = await openShop({ settings, confirmed: true })
      this.ben = await this.shop.signUp('ben')
    })
    afterAll(async () => {
      await this.shop.close()
      await this.mail.stop()
      await rm(folder, { recursive: true })
    })
  }

  /** Letters to somebody, oldest first. */
  to = ({ user }: Person): MailServer['letters'] =>
    this.mail.letters.filter(({ recipients }) => recipients.includes(user.email))

  subjectsOf = (person: Person) => this.to(person).map(({ subject }) => subject)

  arrives = (person: Person, subject: string) =>
    expect.poll(() => this.subjectsOf(person), soon).toContainEqual(expect.stringContaining(subject))

  /** Ben reviews a new listing of hers. */
  review = async (maker: Person, name: string): Promise<void> => {
    const { id } = await this.shop.list(maker, { name })
    const { status } = await this.ben.post(`/api/reviews/${id}/create-review`, { review: 'Good.', stars: 4 })
    expect(status).toBe(201)
  }

  linkTo = ({ user }: Person, kind = 'review') => unsubscribePath(this.shop.db, { recipient: user.id, kind })

  /** The kinds that somebody has switched off. */
  offOf = async (person: Person): Promise<string[]> =>
    (await person.get('/api/letters/')).body.letters
      .filter(({ on }: { on: boolean }) => !on)
      .map(({ kind }: { kind: string }) => kind)

  /** The form that mail services send: no cookie, and no header that browsers send. */
  oneClick = (path: string, headers: Record<string, string> = {}) =>
    this.shop.visitor().send({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: 'List-Unsubscribe=One-Click',
    })

  /** States of the rows to somebody about reviews. */
  rows = ({ user }: Person) =>
    this.shop.rows(
      `select due_at, sent_at, failed_at, notify from outbox where recipient = ${user.id} and kind = 'review'`,
    )
}

/** The row of a letter that is not wanted. */
export const UNWANTED = { due_at: null, sent_at: null, failed_at: null, notify: true }
