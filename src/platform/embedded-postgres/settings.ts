export type Log = (line: string) => void
export type Settings = Record<string, string>

/** Superuser, database and port of the embedded server. The port is only a part of the socket's name. */
export const USER = 'app'
export const DATABASE = 'shop'
export const PORT = 5432

/** How a cluster is synced after initdb and after a crash. `fsync` of each file may take seconds. */
export const SYNC = process.platform === 'linux' ? 'syncfs' : 'fsync'

/** Lowest value of max_connections. */
const MIN_CONNECTIONS = 50
/** Connections in addition to the shop's: reserved ones for superusers, and programs such as a backup. */
const RESERVED_CONNECTIONS = 10

/** Settings of a server with this many connections of the shop. */
export const connectionSettings = (connections: number): Settings => ({
  max_connections: `${Math.max(MIN_CONNECTIONS, connections + RESERVED_CONNECTIONS)}`,
})

/** The settings of the embedded server, unless overridden. */
export const DEFAULTS: Settings = {
  listen_addresses: '',
  ...connectionSettings(0),
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  // No statement takes long enough for JIT compilation to pay.
  jit: 'off',
  recovery_init_sync_method: SYNC,
  log_min_messages: 'warning',
  // No personal data in the log: neither the detail of an error, which quotes a row, nor the statement.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  timezone: 'UTC',
  log_timezone: 'UTC',
}
