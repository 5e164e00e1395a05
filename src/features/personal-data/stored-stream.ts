import { Readable } from 'node:stream'
import type { Files, NamedFile } from '#platform/storage/files.ts'

/** A part is stored when it has so many bytes: all that is in memory, besides the last piece of the stream. */
const PART_BYTES = 4 * 2 ** 20

/**
 * Stores a stream of any length, as the numbered parts of a new folder. It never is in memory as a whole, and every store can
 * do it: uploads in parts differ between object stores.
 * @returns the name of the folder, and the number of bytes
 * @throws Problem 503 while the store does not answer, or the error of the stream; then nothing is stored
 */
export async function putStream(
  files: Files,
  stream: AsyncIterable<Uint8Array>,
): Promise<{ folder: string; bytes: number }> {
  let bytes = 0
  async function* counted() {
    for await (const part of partsOf(stream)) {
      bytes += part.bytes.length
      yield part
    }
  }
  const folder = await files.put(counted())
  return { folder, bytes }
}

async function* partsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<NamedFile> {
  let [waiting, size, count]: [Uint8Array[], number, number] = [[], 0, 0]
  const part = () => {
    const bytes = Buffer.concat(waiting)
    ;[waiting, size] = [[], 0]
    return { name: String(++count).padStart(6, '0'), bytes }
  }
  for await (const piece of stream) {
    waiting.push(piece)
    size += piece.length
    if (size >= PART_BYTES) yield part()
  }
  if (size > 0) yield part()
}

/**
 * Opens what `putStream` has stored: its content, and its size in bytes. The caller has to read the stream to its end, or
 * destroy it. A removed folder is empty.
 */
export async function openStream(files: Files, folder: string): Promise<{ stream: Readable; size: number }> {
  const parts = await files.contents(folder)
  async function* content() {
    for (const { name } of parts) {
      const part = await files.open(folder, name)
      if (!part) throw new Error(`${folder}/${name} was removed while it was read`)
      yield* part.stream
    }
  }
  return {
    stream: Readable.from(content(), { objectMode: false }),
    size: parts.reduce((sum, { size }) => sum + size, 0),
  }
}
