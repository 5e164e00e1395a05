import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'

/** A worker that has run for this long did not crash at its start, milliseconds. */
const SETTLED_MS = 5_000
/** Delay before a restart after this many crashes in a row (exponential backoff), milliseconds: 0, 100, 200, 400, … 10,000. */
const backoff = (tries: number) => (tries === 0 ? 0 : Math.min(50 * 2 ** tries, 10_000))
/** After this many failed starts in a row no more workers are started. A worker that has started is always replaced. */
const MAX_FAILED_STARTS = 10
/** Workers that have not stopped after this time are killed, milliseconds. */
const END_MS = 10_000

/** Message of a worker to the supervisor. */
type Message =
  | { worker: 'open'; origin: string }
  // `wait`: a later start may succeed, such as when the database is down at the moment.
  | { worker: 'failed'; message: string; code?: string | undefined; wait: boolean }

/**
 * Starts worker processes that share one port, and replaces those that crash. Each worker accepts connections itself
 * (`SCHED_NONE`). A crashed worker is restarted at once, or with a growing delay if workers crash soon after their start. A
 * crash of a running worker may have an external cause, so it never stops the server; repeated failed starts do.
 */
export class WorkerSupervisor {
  readonly #log: (line: string) => void
  readonly #pause: (tries: number) => number
  readonly #ending = new AbortController()
  readonly #broken = Promise.withResolvers<string>()
  /** Crashes soon after the start, in a row. The delay grows with them. */
  #crashesInARow = 0
  /** Failed starts in a row. */
  #failedStarts = 0

  /**
   * @param program entry point of a worker, which calls `runWorker`
   * @param workerData passed to each worker as an argument; everybody who can list processes can read it
   * @param log receives a line for each crash
   * @param pause delay before a restart, milliseconds, by the number of crashes in a row
   */
  constructor(program: string, workerData: string, log: (line: string) => void, pause = backoff) {
    this.#log = log
    this.#pause = pause
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ exec: program, args: [workerData] })
  }

  /** Resolved with a sentence when no more workers are started. */
  get broken(): Promise<string> {
    return this.#broken.promise
  }

  /** Starts workers. @returns the URL that they serve @throws Error if one of them fails to start */
  async open(size: number): Promise<string> {
    const [origin = ''] = await Promise.all(Array.from({ length: size }, () => this.#start()))
    return origin
  }

  /** Stops all workers gracefully, and kills those that take longer than 10 s. */
  async stop(): Promise<void> {
    this.#ending.abort()
    const all = Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
    const killTimer = setTimeout(() => {
      for (const worker of all) worker.process.kill('SIGKILL')
    }, END_MS)
    await Promise.all(
      all.map(async worker => {
        if (worker.isDead()) return
        worker.process.kill('SIGTERM')
        // Not `once` of node:events: it rejects where a message to the worker fails.
        await new Promise(exited => worker.once('exit', exited))
      }),
    )
    clearTimeout(killTimer)
  }

  /** Starts a worker. @returns its URL, when it listens @throws Error with `code` and `wait` of the worker's message */
  async #start(): Promise<string> {
    const worker = cluster.fork()
    // Messages to a worker that exits fail; 'exit' is emitted all the same.
    worker.on('error', () => {})
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let failure: Error | undefined
    let opened: number | undefined
    worker.on('message', (message: Message | undefined) => {
      if (message?.worker === 'failed') failure = Object.assign(new Error(message.message), message)
      if (message?.worker !== 'open') return
      opened = performance.now()
      resolve(message.origin)
    })
    worker.once('exit', (code, signal) => {
      const how = signal ?? `exit code ${code}`
      if (opened === undefined)
        reject(failure ?? new Error(`A process of the shop ended before it was open (${how})`))
      else void this.#replace(worker, how, performance.now() - opened)
    })
    return promise
  }

  /** Starts a worker in place of a crashed one, and tries again until it runs. */
  async #replace({ process: { pid } }: Worker, how: string, served: number): Promise<void> {
    if (this.#ending.signal.aborted) return
    this.#crashesInARow = served < SETTLED_MS ? this.#crashesInARow + 1 : 0
    this.#log(`Worker process ${pid} exited (${how}); starting another`)
    for (let tries = this.#crashesInARow; this.#failedStarts < MAX_FAILED_STARTS; tries++) {
      await sleep(this.#pause(tries), undefined, { signal: this.#ending.signal }).catch(() => {})
      if (this.#ending.signal.aborted) return
      try {
        await this.#start()
        this.#failedStarts = 0
        return
      } catch (error) {
        if (this.#ending.signal.aborted) return
        this.#log(`A worker process failed to start: ${(error as Error).message}`)
        if (!(error as { wait?: boolean }).wait) this.#failedStarts++
      }
    }
    this.#broken.resolve(`Worker processes failed to start ${MAX_FAILED_STARTS} times in a row`)
  }
}

/**
 * Runs a worker, in its own process. At SIGTERM it finishes its requests; when the supervisor is gone, `node:cluster` ends it
 * at once. It ignores SIGINT and SIGHUP, which a terminal sends to all processes: the supervisor handles them.
 * @param start starts the server with the data of the supervisor
 * @param mayRetry whether a later start may succeed after this error
 */
export async function runWorker(
  start: (workerData: string) => Promise<{ origin: string; stop(): Promise<void> }>,
  mayRetry: (error: unknown) => boolean,
): Promise<void> {
  const send = (message: Message) =>
    new Promise<void>(sent => process.send?.(message, undefined, undefined, () => sent()))
  const started = start(process.argv[2] ?? '')
  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    const code = await started
      .then(({ stop }) => stop())
      .then(
        () => 0,
        () => 1,
      )
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {})
  process.on('SIGTERM', end)
  try {
    const { origin } = await started
    await send({ worker: 'open', origin })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    await send({ worker: 'failed', message, code, wait: mayRetry(error) })
    process.exit(1)
  }
}
