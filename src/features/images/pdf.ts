import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { memoize } from '#platform/async/memoize.ts'

/** Raw pixels: row by row, 8 bits per channel. */
export interface Pixels {
  data: Uint8Array
  info: { width: number; height: number; channels: 1 | 2 | 3 | 4 }
}

/** Input of the worker. */
export interface Task {
  wasm: ArrayBuffer
  pdf: Uint8Array
  within: { width: number; height: number }
}

/** Time limit from the start of the thread to the rendered page, ms. */
const MILLISECONDS = 5000
/** 64 KiB each: 256 MiB for the document and its rendering. */
const MEMORY_PAGES = 4096

/** Messages of the worker: the document was opened, needs a password, or its page. */
export type WorkerMessage = 'opened' | 'locked' | Pixels

/** The first page, or why there is none. */
export type FirstPage = Pixels | 'not drawn' | 'not opened'

/**
 * Renders a document's first page, as large as fits `within` pixels. 'not drawn' if a valid document takes over 5 s
 * or 256 MiB, or needs a password; 'not opened' if it is no document. Each runs in a worker thread of its own, so
 * that a crash or leak ends with it.
 */
export async function firstPage(pdf: Buffer, within: Task['within']): Promise<FirstPage> {
  let isDocument = false
  const opened = () => {
    isDocument = true
  }
  const task: Task = { wasm: await renderer(), pdf, within }
  const page = await draw(task, opened).catch(() => undefined)
  return page ?? (isDocument ? 'not drawn' : 'not opened')
}

/** @param opened is called when the file turns out to be a document */
async function draw(task: Task, opened: () => void): Promise<Pixels> {
  const worker = new Worker(new URL('./pdf.worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  // The renderer prints every defect; unread output would pile up.
  worker.stdout.resume()
  worker.stderr.resume()
  const { promise, resolve, reject } = Promise.withResolvers<Pixels>()
  worker.on('message', (message: WorkerMessage) => {
    if (typeof message === 'object') resolve(message)
    else opened()
  })
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the renderer ended without a page')))
  const timer = setTimeout(() => reject(new Error('the page took too long')), MILLISECONDS)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

const renderer = memoize(async () => {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm')))
  return limitMemory(wasm, MEMORY_PAGES).buffer
})

/**
 * A copy of a WebAssembly module whose memory cannot grow beyond `pages` of 64 KiB. Node's own limits bound
 * a thread's JavaScript but not this memory, and the renderer as published may take 2 GiB of it. Throws when
 * the module declares its memory in another way.
 *
 * A module is 8 bytes of magic and version, then sections: one byte of id, the content's size, the content.
 * Section 5 declares memories: their count (1), flags (1: there is a maximum), minimum, maximum. All numbers
 * are LEB128: 7 bits a byte, the lowest first, the high bit set on every byte but the last; leading zeros are
 * allowed, so that the new maximum fits exactly where the old one was.
 */
export function limitMemory(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(wasm)
  let at = 8
  const number = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = copy[at++]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }
  while (at < copy.length) {
    const id = copy[at++]
    const next = number() + at
    if (id === 5) {
      const [count, flags, minPages] = [number(), number(), number()]
      const start = at
      const maxPages = number()
      if (count !== 1 || flags !== 1 || minPages > pages || maxPages < pages) break
      for (let byte = start; byte < at; byte++)
        copy[byte] = ((pages >> (7 * (byte - start))) & 0x7f) | (byte < at - 1 ? 0x80 : 0)
      return copy
    }
    at = next
  }
  throw new Error('This WebAssembly module has no memory whose maximum can be lowered')
}
