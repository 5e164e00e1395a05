import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Id } from '#contract'
import { Problem } from '#problem'
import { FILE_TOO_LARGE } from './error-handler.ts'

/** What reaches the handler of a call that takes a file. */
export interface Upload {
  image: Buffer
}

/** What is refused before a file has arrived. */
export interface UploadGuard {
  /** Whose file it is. Throws where the request is refused before any of it is read. */
  before: (request: FastifyRequest) => Promise<{ id: Id }>
  /** Throws where the first 32 kB of a larger file already say that it is refused. */
  look: (beginning: Buffer) => void
}

const BEGINNING = 32 * 1024
const LIMITS = { files: 1, fields: 10, parts: 11 }

/** A form with a file that is still on its way. */
export class Form {
  readonly body: Readable
  readonly #headers: IncomingHttpHeaders
  readonly #fileSize: number

  constructor(body: Readable, headers: IncomingHttpHeaders, fileSize: number) {
    this.body = body
    this.#headers = headers
    this.#fileSize = fileSize
  }

  /** @throws Error where the headers name no boundary */
  parser() {
    return new Busboy({
      headers: this.#headers as BusboyHeaders,
      limits: { ...LIMITS, fileSize: this.#fileSize },
    })
  }
}

/** Leaves forms with files to the calls that take one. @param fileSize bytes of the largest file */
export function readForms(app: FastifyInstance, fileSize: number): void {
  app.addContentTypeParser('multipart/form-data', ({ headers }, body, done) =>
    done(null, new Form(body, headers, fileSize)),
  )
}

/**
 * Reads the one file of a multipart body into memory, counting its bytes. What is refused by its beginning is answered
 * while the rest still arrives, and is read no further.
 * @throws Problem 400, 413 or 415, or what `look` throws
 */
export async function receiveFile(
  { body: form }: FastifyRequest,
  look?: UploadGuard['look'],
): Promise<Upload> {
  if (!(form instanceof Form))
    throw new Problem(415, 'Send the file as multipart/form-data in the field image')
  const { promise, resolve, reject } = Promise.withResolvers<Upload>()
  const refuse = (status: number, message: string) => reject(new Problem(status, message))
  const refuseDamaged = (cause: unknown) =>
    reject(new Problem(400, 'The form is damaged or incomplete; please send it again', { cause }))
  const refuseEmpty = () => refuse(400, 'Photo or video is required')
  try {
    const parser = form.parser()
    parser
      .on('file', (name, file) => {
        file.on('error', refuseDamaged).on('limit', () => refuse(413, FILE_TOO_LARGE))
        if (name !== 'image') return refuseEmpty()
        // The form may be over before the last of the file is read.
        parser.off('finish', refuseEmpty)
        readFile(file, look).then(resolve, reject)
      })
      .on('fieldsLimit', () => refuse(413, 'The form has too many fields'))
      .on('partsLimit', () => refuse(413, 'The form has too many parts'))
      .on('error', refuseDamaged)
      .on('finish', refuseEmpty)
    form.body.on('error', refuseDamaged).pipe(parser)
  } catch (error) {
    refuseDamaged(error)
  }
  // What is still on its way is let past, so that its sender reads the answer.
  return promise.finally(() => form.body.unpipe().resume())
}

async function readFile(file: Readable, look?: UploadGuard['look']): Promise<Upload> {
  const blocks: Buffer[] = []
  let size = 0
  let looked = look === undefined
  for await (const block of file as AsyncIterable<Buffer>) {
    blocks.push(block)
    size += block.length
    if (looked || size < BEGINNING) continue
    looked = true
    look?.(Buffer.concat(blocks))
  }
  return { image: Buffer.concat(blocks) }
}
