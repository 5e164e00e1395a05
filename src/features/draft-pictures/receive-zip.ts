import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { readUpload } from '#platform/http/upload.ts'
import { Problem } from '#problem'
import { MAX_ZIP_BYTES, ZIP_REFUSALS } from './contract.ts'

const RULES = {
  field: 'zip',
  maxBytes: MAX_ZIP_BYTES,
  missing: ZIP_REFUSALS.none,
  tooLarge: ZIP_REFUSALS.large,
}

/** A file of this process without a name: it is gone with the process, or when it is closed. */
export type UnnamedFile = Awaited<ReturnType<typeof open>>

/**
 * Reads the zip of a multipart form into a file, never into memory.
 * @throws Problem 400 without a zip or for a damaged form, 413 for a large one, 415 for another content type
 */
export async function receiveZip(request: FastifyRequest): Promise<UnnamedFile> {
  const file = await openUnnamed(join(request.server.config.dataDir, 'zips'))
  try {
    // By the handle: after a refusal it is closed, and no later write reaches another file with its number.
    await readUpload(request, RULES, async stream => {
      for await (const block of stream as AsyncIterable<Buffer>) await file.appendFile(block)
    })
    if ((await file.stat()).size === 0) throw new Problem(400, ZIP_REFUSALS.none)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

async function openUnnamed(folder: string): Promise<UnnamedFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}
