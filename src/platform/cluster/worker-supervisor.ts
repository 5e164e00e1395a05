import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process that has served for this long had begun well, milliseconds. */
const SETTLED_MS = 5_000
/** Milliseconds before the next try, after so many in a row that did not go well: 0, 100, 200, 400 up to 10 s. */
const growing = (tries: number) => (tries === 0 ? 0 : Math.min(50 * 2 ** tries, 10_000))
/** So many in a row that do not open, and no more are started. One that opened and ends is replaced for ever. */
const MOST_FALLS = 10
/** Milliseconds in which all must have ended once they are told to; requests in work have less. */
const END_MS = 10_000

/** What a worker says to the process that started it. */
type Word =
  | { crew: 'open'; address: string }
  | { crew: 'failed'; message: string; code?: string; wait: boolean }
const STOP = { crew: 'stop' }

const wordOf = (message: unknown) => (message as Partial<Word> | null)?.crew && (message as Word)

/** A worker that did not open. `wait`: it may well open later, since what it needs is away for the moment. */
class NotOpened extends Error {
  readonly code: string | undefined
  readonly wait: boolean

  constructor({ message, code, wait }: { message: string; code?: string; wait: boolean }) {
    super(message)
    this.code = code
    this.wait = wait
  }
}

/**
 * Processes that share one port. Each accepts connections itself (`SCHED_NONE`), so none waits for another. One that ends by
 * itself is started again: at once, or after a pause that grows while they end soon after their start. What ended one that
 * was open may come from outside, so that never closes the shop; only where they do not open, it makes no sense to go on.
 */
export class WorkerSupervisor {
  readonly #log: (line: string) => void
  readonly #pause: (tries: number) => number
  readonly #ending = new AbortController()
  readonly #broken = Promise.withResolvers<string>()
  /** Ends in a row, each soon after it had opened: the pauses grow with them. */
  #ends = 0
  /** In a row, those that did not open. */
  #falls = 0

  /**
   * @param program what each of them runs; it calls `runWorker`
   * @param told is handed to each; whoever may list processes can read it
   */
  constructor(program: string, told: string, log: (line: string) => void, pause = growing) {
    this.#log = log
    this.#pause = pause
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ exec: program, args: [told] })
  }

  /** Fulfilled with a sentence once it makes no sense to start any more. */
  get broken(): Promise<string> {
    return this.#broken.promise
  }

  /** Starts so many. @returns the address where all of them serve @throws Error where one of them cannot */
  async open(size: number): Promise<string> {
    const [address = ''] = await Promise.all(Array.from({ length: size }, () => this.#start()))
    return address
  }

  /** Lets each end what it has in work, and waits for them; whoever takes too long is ended. */
  async stop(): Promise<void> {
    this.#ending.abort()
    const all = Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
    const late = setTimeout(() => {
      for (const worker of all) worker.process.kill('SIGKILL')
    }, END_MS)
    await Promise.all(
      all.map(async worker => {
        if (worker.isDead()) return
        // Whoever ends meanwhile need not be told.
        if (worker.isConnected()) worker.send(STOP, () => {})
        await once(worker, 'exit')
      }),
    )
    clearTimeout(late)
  }

  /** Starts one. @returns its address, once it serves @throws NotOpened */
  async #start(): Promise<string> {
    const worker = cluster.fork()
    // What is sent to one that is just ending fails; that it ends is told all the same.
    worker.on('error', () => {})
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let failure: NotOpened | undefined
    let opened: number | undefined
    worker.on('message', message => {
      const word = wordOf(message)
      if (word?.crew === 'failed') failure = new NotOpened(word)
      if (word?.crew !== 'open') return
      opened = performance.now()
      resolve(word.address)
    })
    worker.once('exit', (code, signal) => {
      const how = signal ?? `exit code ${code}`
      if (opened === undefined)
        reject(
          failure ??
            new NotOpened({
              message: `A process of the shop ended before it was open (${how})`,
              wait: false,
            }),
        )
      else void this.#replace(worker, how, performance.now() - opened)
    })
    return promise
  }

  /** Starts another in place of one that has ended, as often as it takes. */
  async #replace({ process: { pid } }: Worker, how: string, served: number): Promise<void> {
    if (this.#ending.signal.aborted) return
    this.#ends = served < SETTLED_MS ? this.#ends + 1 : 0
    this.#log(`Process ${pid} of the shop has ended by itself (${how}); starting another`)
    for (let tries = this.#ends; this.#falls < MOST_FALLS; tries++) {
      await sleep(this.#pause(tries), undefined, { signal: this.#ending.signal }).catch(() => {})
      if (this.#ending.signal.aborted) return
      try {
        await this.#start()
        this.#falls = 0
        return
      } catch (error) {
        if (this.#ending.signal.aborted) return
        this.#log(`A process of the shop does not open: ${(error as Error).message}`)
        if (!(error as NotOpened).wait) this.#falls++
      }
    }
    this.#broken.resolve(`The processes of the shop end ${MOST_FALLS} times in a row before they are open`)
  }
}

/**
 * What each process of a crew runs. It ends when it is told to, or when whoever started it is gone; of the terminal's
 * signals it leaves it to that one to tell it.
 * @param begin is given what all were told
 * @param waits whether another try may well succeed after this error
 */
export async function runWorker(
  begin: (told: string) => Promise<{ address: string; stop(): Promise<void> }>,
  waits: (error: unknown) => boolean,
): Promise<void> {
  const say = (word: Word) =>
    new Promise<void>(said => process.send?.(word, undefined, undefined, () => said()))
  const begun = begin(process.argv[2] ?? '')
  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    const code = await begun
      .then(({ stop }) => stop())
      .then(
        () => 0,
        () => 1,
      )
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {})
  process.on('SIGTERM', end)
  process.on('message', message => {
    if ((message as { crew?: string }).crew === STOP.crew) void end()
  })
  try {
    const { address } = await begun
    await say({ crew: 'open', address })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    await say({ crew: 'failed', message, ...(code ? { code } : {}), wait: waits(error) })
    process.exit(1)
  }
}
