import type { FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import { Problem } from '#problem'
import { FILE_TOO_LARGE } from '../problems.ts'

/** What reaches the handler of a call that takes a file. */
export interface Upload {
  image: Buffer
}

/** What is refused before a file has arrived. */
export interface Early {
  /** Whose file it is. Throws where the request is refused before any of it is read. */
  before: (request: FastifyRequest) => Promise<{ id: Id }>
  /** Throws where the first 32 kB of a larger file already say that it is refused. */
  look: (beginning: Buffer) => void
}

const BEGINNING = 32 * 1024

/**
 * Reads the one file of a multipart body into memory, counting its bytes. What is refused by its beginning is answered
 * while the rest still arrives, and is read no further.
 * @throws Problem 400, 413 or 415, or what `look` throws
 */
export async function receiveFile(request: FastifyRequest, look?: Early['look']): Promise<Upload> {
  if (!request.isMultipart())
    throw new Problem(415, 'Send the file as multipart/form-data in the field image')
  const part = await request.file().catch(damaged)
  if (part?.fieldname !== 'image') {
    part?.file.resume()
    throw new Problem(400, 'Photo or video is required')
  }
  const parts: Buffer[] = []
  let size = 0
  let looked = look === undefined
  try {
    for await (const bytes of part.file as AsyncIterable<Buffer>) {
      parts.push(bytes)
      size += bytes.length
      if (looked || size < BEGINNING) continue
      looked = true
      look?.(Buffer.concat(parts))
    }
  } catch (error) {
    // What is still on its way is let past, so that its sender reads the answer.
    request.raw.unpipe().resume()
    damaged(error as Error)
  }
  if (part.file.truncated) throw new Problem(413, FILE_TOO_LARGE)
  return { image: Buffer.concat(parts) }
}

/** What the multipart parser throws without a status is the sender's: no boundary, or a form that ends midway. */
function damaged(error: Error & { statusCode?: number }): never {
  throw error.statusCode || error instanceof Problem
    ? error
    : new Problem(400, 'The form is damaged or incomplete; please send it again', { cause: error })
}
