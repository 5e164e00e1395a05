import { statfsSync } from 'node:fs'

/** Folder in memory of Linux. */
const MEMORY = '/dev/shm'
/** Bytes that all tests at once may need. */
const NEEDED = 4 * 2 ** 30

/**
 * Keeps the data of tests in memory, if TMPDIR is not set and /dev/shm has 4 GB free; in many containers it has not. Each
 * test file works on a copy of a database of a thousand files, which takes a tenth of the time there.
 */
export function preferMemoryFolder(): void {
  if (process.env.TMPDIR === undefined && hasRoom()) process.env.TMPDIR = MEMORY
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= NEEDED
  } catch {
    return false
  }
}
