/** A name for an attempt that nobody else uses. Not randomUUID, which browsers withhold from plain http. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
