import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { everyCall, openWorld } from '../test/world.ts'
import { allCalls } from './calls.ts'
import { withShop } from './ground.ts'
import { Faults, type Row } from './row.ts'

/** Says of every connection that its process opens to somewhere else where it leads. Sockets of this machine's files do not count. */
const tattle = `
import net from 'node:net'
console.error('TELLS OF CONNECTIONS')
const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
  const [to] = Array.isArray(args[0]) ? args[0] : args
  if (!(to && typeof to === 'object' ? to.path : typeof to === 'string')) console.error('CONNECTS ' + JSON.stringify(to))
  return connect.apply(this, args)
}`

export const row: Row = {
  risk: 'server-side requests',
  promise: 'addresses in every field: 0 connections out',
  async run() {
    const faults = new Faults()
    let visits = 0
    const bait = createServer((_, answer) => {
      visits++
      answer.end()
    })
    await new Promise<void>(listening => bait.listen(0, '127.0.0.1', listening))
    const { port } = bait.address() as AddressInfo
    const preload = join(tmpdir(), `thrum-tattle-${process.pid}.mjs`)
    await writeFile(preload, tattle)
    const addresses = [
      `http://127.0.0.1:${port}/x`,
      `//127.0.0.1:${port}/`,
      `http://169.254.169.254/`,
      `file:///etc/passwd`,
    ]
    const sent = await withShop({ NODE_OPTIONS: `--import=file://${preload}` }, async shop => {
      const world = await openWorld(shop)
      let sent = 0
      for (const address of addresses) {
        for (const [key, call] of Object.entries(await allCalls())) {
          const [method = '', path = ''] = key.split(' ')
          const names = [
            ...Object.keys((call.body as { shape?: object } | undefined)?.shape ?? {}),
            'url',
            'image',
            'image_url',
            'next',
            'callback',
          ]
          const body = Object.fromEntries(
            names.map(name => [
              name,
              name === 'price' || name === 'stock' || name === 'quantity' || name === 'stars'
                ? 3
                : name === 'category'
                  ? 'Home & Living'
                  : name === 'email'
                    ? `${sent}@${address}`
                    : address.slice(0, 30),
            ]),
          )
          const url = path.replace(/:\w+/, String(world.listing))
          const headers = {
            'content-type': 'application/json',
            referer: address,
            'x-forwarded-for': address,
            'x-forwarded-host': address,
            forwarded: `host=${address}`,
          }
          await world.owner.send({
            method: method as 'POST',
            url: `${url}?next=${encodeURIComponent(address)}&url=${encodeURIComponent(address)}`,
            headers,
            ...(method === 'GET' ? {} : { payload: body }),
          })
          sent++
        }
        for (const text of [
          `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address}"/></svg>`,
          `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(${address})>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`,
        ])
          await world.owner.upload(`/api/products/${world.listing}/images`, Buffer.from(text), 'a.pdf')
      }
      for (const call of Object.values(everyCall)) await call(await shop.signUp('stranger'), world)
      const connections = [...shop.log.matchAll(/CONNECTS (.*)/g)].map(([, to]) => to)
      faults.expect(shop.log.includes('TELLS OF CONNECTIONS'), 'nobody looked')
      faults.expect(connections.length === 0, `connections to ${connections.slice(0, 3)}`)
      return sent
    })
    bait.closeAllConnections()
    bait.close()
    faults.expect(visits === 0, `${visits} visits`)
    return faults.outcome(
      `${sent} requests with addresses in every field, header and file: ${visits} visits, no connection to anywhere`,
    )
  },
}
