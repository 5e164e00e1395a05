/** Response → its JSON, so that a cached response is serialized once. */
const responses = new WeakMap<object, Serialized>()

const encoder = new TextEncoder()

interface Serialized {
  /** UTF-8: a string would be encoded for each response. */
  json: Buffer
  /** Approximate memory, bytes. */
  bytes: number
}

/** Serializes a response to JSON, and estimates its memory. */
export function serialize(response: unknown): Serialized {
  const known = responses.get(response as object)
  if (known) return known
  // TextEncoder allocates memory of its own. A small Buffer is a slice of a shared pool, which stays in memory with it.
  const { buffer, byteOffset, byteLength } = encoder.encode(JSON.stringify(response))
  const json = Buffer.from(buffer, byteOffset, byteLength)
  const serialized = { json, bytes: 3 * json.length }
  responses.set(response as object, serialized)
  return serialized
}
