import { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import { Problem } from '#problem'

declare module 'fastify' {
  interface FastifyInstance {
    uploads: UploadRules
  }
}

/** The rules for uploaded files, and the messages of the refusals. */
interface UploadRules {
  /** Name of the form field that carries the file. */
  field: string
  /** Bytes of the largest file. */
  maxBytes: number
  tooLarge: string
  missing: string
}

/** The body of a call that takes a file. */
export interface Upload {
  file: Buffer
}

/** Checks of an upload before the whole file has arrived. */
export interface UploadGuard {
  /** The message where the form has no file, where it is another one than that of the rules. */
  missing?: string
  /** Returns the user who may send the file. It throws a Problem to refuse the request before its body is read. */
  authorize: (request: FastifyRequest) => Promise<{ id: Id }>
  /** Throws a Problem if the first 32 kB of a larger file are enough to refuse it. */
  sniff?: (beginning: Buffer) => void
}

/** Bytes that `sniff` gets. */
const BEGINNING = 32 * 1024
const LIMITS = { files: 1, fields: 10, parts: 11 }

/** Accepts multipart forms. Their body is the unread stream: the calls that take a file read it, with `receiveFile`. */
export function acceptUploads(app: FastifyInstance, rules: UploadRules): void {
  app.decorate('uploads', rules)
  app.addContentTypeParser('multipart/form-data', (_request, body, done) => done(null, body))
}

/**
 * Reads the one file of a multipart body into memory. A file that `sniff` refuses gets its response while it still arrives, and
 * its rest is discarded.
 * @throws Problem as `readUpload` does, or what `sniff` throws
 */
export const receiveFile = (
  request: FastifyRequest,
  { sniff, field, missing }: Partial<UploadGuard> & { field?: string | undefined } = {},
): Promise<Upload> => {
  const rules = { ...request.server.uploads, ...(field && { field }), ...(missing && { missing }) }
  return readUpload(request, rules, file => intoMemory(file, sniff))
}

/**
 * Reads the one file of a multipart body, while it arrives.
 * @param read takes the file; its result is returned
 * @throws Problem 400 without a file or for a damaged form, 413 for a large one, 415 for another content type, or what
 * `read` throws
 */
export async function readUpload<T>(
  { body: form, headers }: FastifyRequest,
  { field, maxBytes, missing, tooLarge }: UploadRules,
  read: (file: Readable) => Promise<T>,
): Promise<T> {
  if (!(form instanceof Readable))
    throw new Problem(415, `Send the file as multipart/form-data in the field ${field}`)
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const refuse = (status: number, message: string) => reject(new Problem(status, message))
  const refuseDamaged = (cause: unknown) =>
    reject(new Problem(400, 'The form is damaged or incomplete; please send it again', { cause }))
  const refuseEmpty = () => refuse(400, missing)
  try {
    const limits = { ...LIMITS, fileSize: maxBytes }
    // Throws if the headers name no boundary.
    const parser = new Busboy({ headers: headers as BusboyHeaders, limits })
    parser
      .on('file', (name, file) => {
        file.on('error', refuseDamaged).on('limit', () => refuse(413, tooLarge))
        if (name !== field) return refuseEmpty()
        // The parser may finish before the file is read.
        parser.off('finish', refuseEmpty)
        read(file).then(resolve, reject)
      })
      .on('fieldsLimit', () => refuse(413, 'The form has too many fields'))
      .on('partsLimit', () => refuse(413, 'The form has too many parts'))
      .on('error', refuseDamaged)
      .on('finish', refuseEmpty)
    form.on('error', refuseDamaged).pipe(parser)
  } catch (error) {
    refuseDamaged(error)
  }
  // The rest of the body is discarded: clients read the response only after they have sent it.
  return promise.finally(() => form.unpipe().resume())
}

async function intoMemory(file: Readable, sniff?: UploadGuard['sniff']): Promise<Upload> {
  const blocks: Buffer[] = []
  let size = 0
  for await (const block of file as AsyncIterable<Buffer>) {
    const before = size
    blocks.push(block)
    size += block.length
    if (before < BEGINNING && size >= BEGINNING) sniff?.(Buffer.concat(blocks))
  }
  return { file: Buffer.concat(blocks) }
}
