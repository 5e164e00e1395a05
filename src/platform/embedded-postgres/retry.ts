import { setTimeout as sleep } from 'node:timers/promises'

/** Another process is starting or stopping the server. A later attempt may succeed. */
export class Busy extends Error {}

/** Calls `work` again while it throws `Busy`, for up to 15 s. @throws the last error */
export async function retry<T>(work: () => Promise<T>, stopping?: AbortSignal): Promise<T> {
  for (const limit = Date.now() + 15_000; ; await sleep(100)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Busy) || Date.now() > limit || stopping?.aborted) throw error
    }
  }
}
