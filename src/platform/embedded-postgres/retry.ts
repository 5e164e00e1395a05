import { setTimeout as sleep } from 'node:timers/promises'

/** Another start or stop is under way: the next try may succeed. */
export class Busy extends Error {}

/** Repeats what another process is in the way of, for up to 15 s. */
export async function retry<T>(work: () => Promise<T>, stopping?: AbortSignal): Promise<T> {
  for (const limit = Date.now() + 15_000; ; await sleep(100)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Busy) || Date.now() > limit || stopping?.aborted) throw error
    }
  }
}
