import type { Socket } from 'node:net'

/** Time for the sender to read the response, ms. */
const LINGER_MS = 2_000

/**
 * Closes a connection over which more of a refused body is arriving, without reading it (lingering close). Closed at once,
 * TCP would reset it, and the sender could lose the response (RFC 9112, 9.6).
 */
export function closeLingering(socket: Socket): void {
  socket.pause()
  setTimeout(() => socket.destroy(), LINGER_MS)
}
