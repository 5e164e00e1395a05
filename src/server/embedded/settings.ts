export type Log = (line: string) => void
export type Settings = Record<string, string>

export const USER = 'app'
export const DATABASE = 'shop'
export const PORT = 5432

/** How a whole cluster is flushed when made and after a crash: file by file may take seconds. */
export const SYNC = process.platform === 'linux' ? 'syncfs' : 'fsync'

export const DEFAULTS: Settings = {
  listen_addresses: '',
  max_connections: '50',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  // No statement here lasts long enough to be worth compiling.
  jit: 'off',
  recovery_init_sync_method: SYNC,
  log_min_messages: 'warning',
  timezone: 'UTC',
  log_timezone: 'UTC',
}
