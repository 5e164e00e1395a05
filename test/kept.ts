import pg from 'pg'
import { vi } from 'vitest'
import type { Kept } from '#server/kept/kept.ts'

/** Asks for a key; the answer says how many loads there have been. */
export function asker(kept: Kept, bytes = 1) {
  const load = vi.fn(async (key: string) => `${key} ${load.mock.calls.length}`)
  const get = (key: string) =>
    kept.get(
      key,
      () => load(key),
      () => ({ bytes }),
    )
  return { get, load }
}

/** Something that takes as long as the test wants. */
export function slowly() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { load: vi.fn(() => promise), finish: resolve }
}

/** How often the database is asked while something is done: each statement or transaction takes a connection. */
export async function questionsOf(doing: () => Promise<unknown>): Promise<number> {
  const taken = vi.spyOn(pg.Pool.prototype, 'connect')
  await doing()
  const { length } = taken.mock.calls
  taken.mockRestore()
  return length
}
