import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** An S3-compatible store with an empty bucket, in a process of its own on this machine. */
export interface RealStore {
  /** For STORAGE_URL: a part of the bucket. */
  readonly url: string
  /** Where it keeps what is given to it: files in folders as their keys say, each with others beside it. */
  readonly directory: string
  /** Stops answering: whoever asks is refused. */
  stop(): Promise<void>
  /** Answers again, on the same port and with everything that it had. */
  start(): Promise<void>
  /** Stops, and forgets everything. */
  close(): Promise<void>
}

/** What a shop that uses it needs beside its address. */
export const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/**
 * It knows its key, but reckons the signature of a list without the slash that its clients send. What it says where a
 * list goes on is encrypted as in other times, which Node has to be asked for.
 */
const PROGRAM = `
  const S3rver = require('@20minutes/s3rver')
  const [port, directory] = process.argv.slice(1)
  const configureBuckets = [{ name: 'pictures' }]
  const options = { port, directory, address: '127.0.0.1', silent: true, allowMismatchedSignatures: true, configureBuckets }
  new S3rver(options).run().then(({ port }) => console.log(port))`

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
