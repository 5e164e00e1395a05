import { buffer } from 'node:stream/consumers'
import type { Files } from '../../src/platform/storage/files.ts'

export const small = { name: '320.webp', bytes: Buffer.from('small') }
export const large = { name: '640.webp', bytes: Buffer.from('larger') }

/** A stored file, or undefined if there is none. */
export async function read(
  files: Files,
  folder: string,
  name: string,
): Promise<{ size: number; text: string } | undefined> {
  const file = await files.open(folder, name)
  return file && { size: file.size, text: (await buffer(file.stream)).toString() }
}

const tomorrow = () => new Date(Date.now() + 86_400_000)

/** The folders that were written before a time, sorted. Without the time, all. */
export const listed = async (files: Files, olderThan = tomorrow()): Promise<string[]> =>
  (await Array.fromAsync(files.list(olderThan))).sort()
