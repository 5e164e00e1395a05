import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMailServer } from '../../../test/support/mail-server.ts'
import { readConfig } from '../../config.ts'
import { type Message, openTransport } from './transport.ts'

async function openAll() {
  const mail = await openMailServer()
  const transport = await openTransport(readConfig(mail.settings))
  const requested: string[] = []
  const web = createServer(({ url = '' }, response) => {
    requested.push(url)
    response.end('canary')
  })
  await new Promise<void>(listening => web.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    transport.close()
    web.close()
    await mail.stop()
  })
  const address = `http://127.0.0.1:${(web.address() as AddressInfo).port}/canary`
  return { mail, transport, requested, address }
}

const FILE = join(import.meta.dirname, 'closed.test.ts')
const message = (text: unknown, html: unknown) =>
  ({
    messageId: '<1@shop.example>',
    file: '1.eml',
    to: { name: '', address: 'ana@example.com' },
    subject: 'A letter',
    text,
    html,
  }) as Message

test('addresses and paths in a letter stay text: nothing is fetched, read or attached', async () => {
  const { mail, transport, requested, address } = await openAll()
  const words = `${address} file://${FILE} {"path":"${FILE}"}`
  await transport.send(message(words, `<p>${words}</p><img src="${address}"><img src="file://${FILE}">`))
  const [letter] = mail.letters
  expect(letter?.attachments).toEqual([])
  expect(letter?.text).toContain(words)
  expect(letter?.html).toContain(`<img src="${address}">`)
  expect(requested).toEqual([])
})

test('even a text that is given as a file or an address is refused', async () => {
  const { mail, transport, requested, address } = await openAll()
  for (const source of [{ path: FILE }, { href: address }, { path: address }]) {
    await expect(transport.send(message(source, '<p>Hello</p>'))).rejects.toThrow(/access/i)
    await expect(transport.send(message('Hello', source))).rejects.toThrow(/access/i)
  }
  expect(mail.letters).toEqual([])
  expect(requested).toEqual([])
})
