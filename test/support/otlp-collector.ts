import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A span as a collector receives it. Ids are hexadecimal, '' without a parent. */
export interface Received {
  trace: string
  id: string
  parent: string
  name: string
  attributes: Record<string, unknown>
  /** Attributes of the sender. */
  resource: Record<string, unknown>
  failed: boolean
}

/** A collector of traces over OTLP/HTTP with protobuf, which stores what it receives. */
export async function openCollector() {
  const spans: Received[] = []
  const requests: { url: string | undefined; headers: Record<string, unknown>; bytes: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request)
    requests.push({ url: request.url, headers: request.headers, bytes })
    spans.push(...spansOf(bytes))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>(open => server.listen(0, '127.0.0.1', open))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    close: () => new Promise(closed => server.close(closed)),
  }
}

/** Field number → values, of a message in protobuf's wire format. */
function fieldsOf(bytes: Buffer): Record<number, (Buffer | bigint)[]> {
  const fields: Record<number, (Buffer | bigint)[]> = {}
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes[at++] ?? 0)
      value |= (byte & 127n) << shift
      if (byte < 128n) return value
    }
  }
  const readBytes = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const read = {
      0: varint,
      1: () => readBytes(8),
      2: () => readBytes(Number(varint())),
      5: () => readBytes(4),
    }[tag & 7]
    if (!read) throw new Error(`no such type in protobuf: ${tag & 7}`)
    fields[tag >> 3] = [...(fields[tag >> 3] ?? []), read()]
  }
  return fields
}

const messages = (values: (Buffer | bigint)[] = []) => values.map(value => fieldsOf(value as Buffer))
const hex = (values: (Buffer | bigint)[] = []) => ((values[0] ?? Buffer.alloc(0)) as Buffer).toString('hex')

/** Fields by the numbers of opentelemetry/proto/trace/v1/trace.proto. */
function spansOf(bytes: Buffer): Received[] {
  return messages(fieldsOf(bytes)[1]).flatMap(ofResource => {
    const resource = attributesOf(messages(ofResource[1])[0]?.[1])
    return messages(ofResource[2]).flatMap(scope =>
      messages(scope[2]).map(span => ({
        trace: hex(span[1]),
        id: hex(span[2]),
        parent: hex(span[4]),
        name: String(span[5]?.[0]),
        attributes: attributesOf(span[9]),
        resource,
        failed: messages(span[15])[0]?.[3]?.[0] === 2n,
      })),
    )
  })
}

const attributesOf = (values: (Buffer | bigint)[] = []): Record<string, unknown> =>
  Object.fromEntries(
    messages(values).map(pair => {
      const [value = {}] = messages(pair[2])
      return [String(pair[1]?.[0]), value[1] ? String(value[1][0]) : Number(value[3]?.[0])]
    }),
  )
