import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** An S3-compatible store with an empty bucket, in a process of its own on this machine. */
export interface RealStore {
  /** For STORAGE_URL: a prefix in the bucket. */
  readonly url: string
  /** Folder of its objects: files by their keys, each with metadata files. */
  readonly directory: string
  /** Stops: connections are refused. */
  stop(): Promise<void>
  /** Starts again, on the same port with the same objects. */
  start(): Promise<void>
  /** Stops, and deletes everything. */
  close(): Promise<void>
}

/** Credentials for a shop. */
export const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/**
 * It computes the signature of a list without the slash that clients send. Its continuation tokens use a legacy
 * cipher, which Node must enable.
 */
const PROGRAM = `
  const S3rver = require('@20minutes/s3rver')
  const [port, directory] = process.argv.slice(1)
  const configureBuckets = [{ name: 'pictures' }]
  const options = { port, directory, address: '127.0.0.1', silent: true, allowMismatchedSignatures: true, configureBuckets }
  new S3rver(options).run().then(({ port }) => console.log(port))`

/** Starts an S3-compatible store. Close it when done. */
export async function openStore(): Promise<RealStore> {
  const directory = await mkdtemp(join(tmpdir(), 'store-'))
  let port = '0'
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn(process.execPath, ['--openssl-legacy-provider', '-e', PROGRAM, port, directory], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface(child.stdout!), 'line')
    port = line
  }
  const stop = async () => {
    if (!child || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await start()
  return {
    url: `s3://pictures/shop?endpoint=http://127.0.0.1:${port}`,
    directory,
    start,
    stop,
    async close() {
      await stop()
      await rm(directory, { recursive: true })
    },
  }
}
