import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Problem } from '#problem'
import type { Bucket } from '../config/setting-types.ts'
import { checkNames, type Files, isFileName, isFolderName, type NamedFile } from './files.ts'

/** Timeouts, milliseconds: to connect, to the first byte of a response, and for all attempts of a read or a write. */
const CONNECT_MS = 1_500
const REQUEST_MS = 3_000
const READ_MS = 5_000
const WRITE_MS = 20_000
const TRIES = 3
/** Idle timeout of a connection, milliseconds. */
const IDLE_MS = 30_000
/** After a timeout, requests fail at once for this time (circuit breaker), milliseconds: browsers load few files at a time. */
const OPEN_MS = 1_000
/** Connections, of which each slow client occupies one. */
const MAX_CONNECTIONS = 1_000

const UNREACHABLE = 'The files are out of reach right now. Please try again in a moment'

/** Files in a bucket of an S3-compatible store. Several processes and machines may use it at the same time. */
export class S3Storage {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string
  #openUntil = 0

  /** Credentials come from the default chain of the AWS SDK: `AWS_ACCESS_KEY_ID` and others, a profile, a role. */
  constructor({ bucket, prefix, endpoint, region }: Bucket) {
    this.#bucket = bucket
    this.#prefix = prefix === '' ? '' : `${prefix}/`
    this.#client = new S3Client({
      // Other stores accept any region. For AWS it comes from STORAGE_URL or AWS_REGION.
      ...(region ? { region } : endpoint ? { region: 'us-east-1' } : {}),
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
      maxAttempts: TRIES,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: REQUEST_MS,
        throwOnRequestTimeout: true,
        socketTimeout: IDLE_MS,
        httpAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
        httpsAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
      },
      // Some stores do not support the newer checksums. The signature covers the content.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
  }

  /**
   * Checks whether the bucket can be used.
   * @returns the reason why the store does not respond at the moment; undefined if all is well
   * @throws Error with a sentence if the store refuses: no such bucket, no permission, no credentials
   */
  async check(): Promise<string | undefined> {
    try {
      await this.#page('nothing/')
    } catch (error) {
      const cause = (error as Problem).cause as Error & { $metadata?: { httpStatusCode?: number } }
      if (isUnreachable(cause) || (cause.$metadata?.httpStatusCode ?? 0) >= 500)
        return cause.message || cause.name
      throw new Error(`The store at STORAGE_URL cannot be used: ${cause.message} (${cause.name})`, { cause })
    }
  }

  /** Returns the files whose keys begin with a name. */
  files(name: string): Files {
    const all = `${name}/`
    const remove = async (folder: string) => {
      const found = await Array.fromAsync(this.#below(`${all}${folder}/`))
      await Promise.all(found.map(({ key }) => this.#delete(key)))
    }
    return {
      put: async (files, folder = randomBytes(16).toString('hex')) => {
        const known = Array.isArray(files) ? files : []
        checkNames(folder, known)
        if (new Set(known.map(({ name }) => name)).size < known.length)
          throw new Error('two files of one name')
        const put = (file: NamedFile) => this.#put(`${all}${folder}/${file.name}`, file.bytes)
        try {
          // All have ended before a failure is cleaned up.
          const results = await Promise.allSettled(known.map(put))
          const failed = results.find(({ status }) => status === 'rejected')
          if (failed?.status === 'rejected') throw failed.reason
          for await (const file of known === files ? [] : files) {
            checkNames(folder, [file])
            await put(file)
          }
        } catch (error) {
          // The cleanup job removes what remains: no row names the folder.
          await remove(folder).catch(() => {})
          throw error
        }
        return folder
      },

      open: async (folder, name) =>
        isFolderName(folder) && isFileName(name) ? this.#get(`${all}${folder}/${name}`) : undefined,

      contents: async folder => {
        if (!isFolderName(folder)) return []
        const found = await Array.fromAsync(this.#below(`${all}${folder}/`))
        return found.map(({ key, size }) => ({ name: key.slice(all.length + folder.length + 1), size }))
      },

      remove: async folder => {
        checkNames(folder)
        await remove(folder)
      },

      list: olderThan => this.#folders(all, olderThan),

      clear: async () => {
        for await (const folder of this.#folders(all, new Date(8.64e15))) await remove(folder)
      },

      owner: {
        url: `s3://${this.#bucket}/${this.#prefix}${all}owner`,
        read: () => this.#get(`${all}owner`).then(found => found && text(found.stream)),
        write: database => this.#put(`${all}owner`, Buffer.from(database)),
      },
    }
  }

  /** Keys are listed in lexical order, so the files of a folder follow one another. */
  async *#folders(all: string, olderThan: Date): AsyncIterable<string> {
    let [folder, written] = ['', new Date(0)]
    for await (const { key, changed } of this.#below(all)) {
      const [name = ''] = key.slice(all.length).split('/')
      if (name !== folder) {
        if (isFolderName(folder) && written < olderThan) yield folder
        folder = name
        written = new Date(0)
      }
      if (changed > written) written = changed
    }
    if (isFolderName(folder) && written < olderThan) yield folder
  }

  /**
   * Lists all objects whose keys begin with a text, one page in memory at a time: their keys without the prefix of the store,
   * bytes, and when they were written.
   */
  async *#below(start: string) {
    let token: string | undefined
    do {
      const page = await this.#page(start, token)
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
        yield { key: Key.slice(this.#prefix.length), size: Size, changed: LastModified }
      token = page.NextContinuationToken
    } while (token !== undefined)
  }

  #page(start: string, token?: string) {
    const command = new ListObjectsV2Command({
      Bucket: this.#bucket,
      Prefix: this.#prefix + start,
      ContinuationToken: token,
    })
    return this.#request(READ_MS, abortSignal => this.#client.send(command, { abortSignal }))
  }

  async #get(key: string): Promise<{ stream: Readable; size: number } | undefined> {
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + key })
    const found = await this.#request(READ_MS, abortSignal =>
      this.#client.send(command, { abortSignal }).catch(error => {
        if (error.name === 'NoSuchKey') return undefined
        throw error
      }),
    )
    if (!found) return undefined
    return { stream: found.Body as Readable, size: found.ContentLength ?? 0 }
  }

  async #put(key: string, bytes: Uint8Array): Promise<void> {
    const command = new PutObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + key, Body: bytes })
    const requestTimeout = WRITE_MS
    await this.#request(WRITE_MS, abortSignal => this.#client.send(command, { abortSignal, requestTimeout }))
  }

  async #delete(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: this.#prefix + key })
    await this.#request(READ_MS, abortSignal => this.#client.send(command, { abortSignal }))
  }

  /** Sends a request. @param timeoutMs for all attempts together @throws Problem 503 */
  async #request<T>(timeoutMs: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    // Without a cause, since causes are logged: one log line is enough.
    if (performance.now() < this.#openUntil) throw unreachable()
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), timeoutMs)
    try {
      return await send(controller.signal)
    } catch (error) {
      if (isUnreachable(error as Error)) this.#openUntil = performance.now() + OPEN_MS
      throw unreachable(error)
    } finally {
      // The body of a response has the idle timeout only.
      clearTimeout(timer)
    }
  }
}

const unreachable = (cause?: unknown) => new Problem(503, UNREACHABLE, { retryAfter: 5, cause })

/** Whether the error means that the store did not respond: timeout or network error. */
const isUnreachable = ({ name, code }: Error & { code?: unknown }): boolean =>
  name === 'TimeoutError' || name === 'AbortError' || typeof code === 'string'
