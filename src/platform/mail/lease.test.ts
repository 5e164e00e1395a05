import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { defaultBrand } from '#brand'
import { openDrippingServer } from '../../../test/support/dripping-server.ts'
import { openShop, type TestShop } from '../../../test/support/shop.ts'
import { readConfig } from '../../config.ts'
import { letterKinds } from '../../letters.ts'
import { type DeliveryDeps, deliver } from './delivery.ts'
import * as outbox from './outbox.ts'
import { openTransport } from './transport.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const message = {
  messageId: '<1@shop.example>',
  file: '1.eml',
  sender: 'Shop',
  to: { name: '', address: 'ana@example.com' },
  subject: 'A letter',
  text: 'Text',
  html: '<p>Text</p>',
}

async function openDripping(command: 'EHLO' | 'MAIL') {
  const SMTP_URL = `smtp://127.0.0.1:${await openDrippingServer(command)}`
  const settings = { SMTP_URL, MAIL_FROM: 'post@shop.example', PUBLIC_URL: 'http://shop.example' }
  const transport = await openTransport(readConfig(settings), { check: 500, letter: 500 })
  onTestFinished(() => transport.close())
  return transport
}

test('a server that sends a byte at a time is given up, at the check and with a letter', async () => {
  await expect((await openDripping('EHLO')).check()).rejects.toThrow('did not answer in time')
  await expect((await openDripping('MAIL')).send(message)).rejects.toThrow(/abort|timeout/i)
})

/** Sends what is due. @returns the subjects of what was sent */
async function deliverWith(own: Partial<DeliveryDeps>, check = async () => {}): Promise<string[]> {
  const sent: string[] = []
  await deliver(
    {
      db: shop.db,
      config: shop.app.config,
      kinds: letterKinds,
      transport: { check, send: async ({ subject }) => String(sent.push(subject)), close() {} },
      render: async () => '',
      brand: async () => defaultBrand,
      origin: '',
      log: shop.app.log,
      countSent: () => {},
      countRefused: () => {},
      ...own,
    },
    AbortSignal.timeout(60_000),
  )
  return sent
}
/** A due letter, which does not wake the job of the shop. @returns its row */
async function queue() {
  const { user } = await shop.signUp('ana')
  await shop.rows(`insert into outbox (kind, subject, recipient) values ('welcome', ${user.id}, ${user.id})`)
  return () => shop.rows(`select tries, sent_at from outbox where recipient = ${user.id}`)
}

test('the server is checked before a letter is claimed: a slow check costs nothing of its lease', async () => {
  const row = await queue()
  const seen: unknown[] = []
  const sent = await deliverWith({}, async () => void seen.push(...(await row())))
  expect(seen).toEqual([{ tries: 0, sent_at: null }])
  expect(sent).toEqual(['Welcome to Thrum'])
})

test('a letter whose lease has ended, and that another process has claimed, is not sent twice', async () => {
  const row = await queue()
  const render = async () => {
    await shop.rows('update outbox set tries = tries + 1 where due_at is not null')
    return ''
  }
  expect(await deliverWith({ render })).toEqual([])
  expect(await row()).toEqual([{ tries: 2, sent_at: null }])
})

test('a process without the lease does not delete the letter', async () => {
  const row = await queue()
  const [letter] = await outbox.claim(shop.db, 1)
  if (!letter) throw new Error('Nothing was due')
  await outbox.discard(shop.db, { ...letter, tries: letter.tries - 1 })
  expect(await row()).toEqual([{ tries: 1, sent_at: null }])
})
