/** A bare server that gives the bytes from its input and nothing else: what Node can do at most. Says its port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const bytes = await buffer(process.stdin)
const server = createServer((_request, response) => response.end(bytes))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
