/** Response → its JSON, so that a cached response is serialized once. */
const texts = new WeakMap<object, Text>()

const encoder = new TextEncoder()

interface Text {
  /** The JSON in UTF-8: a string would be encoded for each response. */
  sent: Buffer
  /** Approximate memory, bytes. */
  bytes: number
}

/** Serializes a response to JSON, and estimates its memory. */
export function serialize(response: unknown): Text {
  const known = texts.get(response as object)
  if (known) return known
  // TextEncoder allocates memory of its own. A small Buffer is a slice of a shared pool, which stays in memory with it.
  const { buffer, byteOffset, byteLength } = encoder.encode(JSON.stringify(response))
  const sent = Buffer.from(buffer, byteOffset, byteLength)
  const written = { sent, bytes: 3 * sent.length }
  texts.set(response as object, written)
  return written
}
