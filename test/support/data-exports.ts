import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { soon } from './expect.ts'
import type { MailServer } from './mail-server.ts'
import type { Person, TestShop } from './shop.ts'
import { openShopWithMail } from './shop-with-mail.ts'

/** A shop with letters, for the tests of a file about archives of personal data. */
export class DataExports {
  shop!: TestShop
  mail!: MailServer

  constructor() {
    beforeAll(async () => {
      ;({ mail: this.mail, shop: this.shop } = await openShopWithMail())
    })
    afterAll(() => this.shop.close())
  }

  statusOf = async (person: Person) => (await person.get('/api/account/data')).body

  file = (person: Person, secret?: string, headers?: Record<string, string>) =>
    person.get(`/api/account/data/file${secret === undefined ? '' : `?archive=${secret}`}`, headers)

  becomes = (person: Person, state: string) =>
    expect.poll(async () => (await this.statusOf(person)).state, soon).toBe(state)

  rowOf = async ({ user }: Person) =>
    (await this.shop.rows(`select * from data_exports where user_id = ${user.id}`))[0]

  /** Folders of archives, whole ones and those that are being written. */
  archivesIn = ({ dataDir }: TestShop): Promise<string[]> =>
    readdir(join(dataDir, 'uploads', inject('shop'), 'private')).catch(() => [])

  /** Somebody whose archive is ready. */
  ready = async (name = 'ana'): Promise<Person> => {
    const person = await this.shop.signUp(name)
    await person.post('/api/account/data')
    await this.becomes(person, 'ready')
    return person
  }

  /** The letter with the link to an archive, and the secret in the link. */
  letterTo = async ({ user }: Person): Promise<{ text: string; secret: string }> => {
    const found = () =>
      this.mail.letters.find(
        ({ subject, recipients }) => subject === 'Your data is ready' && recipients.includes(user.email),
      )
    await expect.poll(found, soon).toBeTruthy()
    const text = found()?.text ?? ''
    const [, secret = ''] = /\/settings\/account\?archive=([\w-]+)/.exec(text) ?? []
    return { text, secret }
  }
}
