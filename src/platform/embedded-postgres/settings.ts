export type Log = (line: string) => void
export type Settings = Record<string, string>

export const USER = 'app'
export const DATABASE = 'shop'
export const PORT = 5432

/** How a whole cluster is flushed when made and after a crash: file by file may take seconds. */
export const SYNC = process.platform === 'linux' ? 'syncfs' : 'fsync'

/** Connections that there is room for in any case. */
const CONNECTIONS = 50
/** Beside the shop's own: what PostgreSQL keeps for its owner, and programs such as a backup. */
const BESIDE = 10

/** Settings for a server that has to take so many connections of the shop. */
export const connectionSettings = (connections: number): Settings => ({
  max_connections: `${Math.max(CONNECTIONS, connections + BESIDE)}`,
})

export const DEFAULTS: Settings = {
  listen_addresses: '',
  ...connectionSettings(0),
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  // No statement here lasts long enough to be worth compiling.
  jit: 'off',
  recovery_init_sync_method: SYNC,
  log_min_messages: 'warning',
  // The server's log holds nothing that people typed: neither the row of an error's detail, nor the statement.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  timezone: 'UTC',
  log_timezone: 'UTC',
}
