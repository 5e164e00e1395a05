import { execFileSync } from 'node:child_process'
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbedded } from '#platform/embedded-postgres/embedded.ts'

/** A database with a streaming replica, both on this machine. */
export interface Pair {
  primary: Server
  replica: Server & {
    stop(): Promise<void>
    start(): Promise<void>
    /** Pauses the replay of the primary's log. */
    pause(): Promise<void>
    resume(): Promise<void>
  }
  close(): Promise<void>
}

interface Server {
  connection: EmbeddedPostgres['connection']
  /** For DATABASE_URL and DATABASE_REPLICA_URL. */
  url: string
  /** Rows of a statement. */
  // biome-ignore lint/suspicious/noExplicitAny: the columns depend on the statement
  rows(statement: string): Promise<any[]>
}

/** Copies the stopped primary: the packaged programs have no pg_basebackup. */
export async function openPair(): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'pair-'))
  // As root, the servers run as another account, which must be able to enter.
  await chmod(folder, 0o755)
  const start = (name: string) =>
    startEmbedded({ dataDir: join(folder, name), log: () => {}, settings: { fsync: 'off' } })
  const first = await start('primary')
  await first.stop()
  const copy = join(folder, 'replica')
  execFileSync('cp', ['-a', first.dataDir, copy])
  await appendFile(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${first.connection.host} port=${first.connection.port} user=${first.connection.user}'\n`,
  )
  await writeFile(join(copy, 'standby.signal'), '')
  const primary = await start('primary')
  let replica = await start('replica')
  const { rows } = serverAt(replica)
  return {
    primary: serverAt(primary),
    replica: {
      ...serverAt(replica),
      stop: () => replica.stop(),
      async start() {
        replica = await start('replica')
      },
      async pause() {
        await rows('select pg_wal_replay_pause()')
        while ((await rows('select pg_get_wal_replay_pause_state() as state'))[0].state !== 'paused');
      },
      async resume() {
        await rows('select pg_wal_replay_resume()')
      },
    },
    async close() {
      await replica.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function serverAt({ connection }: EmbeddedPostgres): Server {
  const { user, database, host } = connection
  return {
    connection,
    url: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    async rows(statement) {
      const client = new pg.Client(connection)
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query(statement)).rows
      } finally {
        await client.end()
      }
    },
  }
}
