/** The JSON of answers that are kept, written once. */
const texts = new WeakMap<object, Text>()

const encoder = new TextEncoder()

interface Text {
  /** As bytes: a string would be turned into them each time. */
  sent: Buffer
  bytes: number
}

/** An answer as it is sent, and about how much room it takes. */
export function serialize(answer: unknown): Text {
  const known = texts.get(answer as object)
  if (known) return known
  // Memory of its own: a small buffer would be a part of a larger one, which stays as long as any of its parts.
  const { buffer, byteOffset, byteLength } = encoder.encode(JSON.stringify(answer))
  const sent = Buffer.from(buffer, byteOffset, byteLength)
  const written = { sent, bytes: 3 * sent.length }
  texts.set(answer as object, written)
  return written
}
