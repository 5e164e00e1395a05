import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/** An S3-compatible store with an empty bucket, on this machine. */
export interface RealStore {
  /** For STORAGE_URL: a part of the bucket. */
  readonly url: string
  /** Where it keeps what it is given: `pictures/shop/<key>`, each object a file with others beside it. */
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

export async function openStore(): Promise<RealStore> {
  const directory = await mkdtemp(join(tmpdir(), 'store-'))
  let port = 0
  let server: S3rver | undefined
  const start = async () => {
    server = new S3rver({
      port,
      address: '127.0.0.1',
      directory,
      silent: true,
      // It knows its key, but reckons the signature of a list without the slash that its clients send.
      allowMismatchedSignatures: true,
      configureBuckets: [{ name: 'pictures' }],
    })
    port = (await server.run()).port
  }
  const stop = async () => {
    const { httpServer } = server ?? {}
    if (!httpServer?.listening) return
    const closed = new Promise(done => httpServer.close(done))
    httpServer.closeAllConnections()
    await closed
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
