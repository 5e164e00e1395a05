/** A bare node:http server that sends the bytes of its input: the baseline of the bench. Prints its port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const bytes = await buffer(process.stdin)
const server = createServer((_request, response) => response.end(bytes))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
