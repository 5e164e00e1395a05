/** `npm run backup -- FILE`: the whole shop in one file, database and pictures, also while it runs. */
import { FOLDERS } from '../src/features/images/backup-queries.ts'
import { imageFiles } from '../src/features/images/dto.ts'
import type { Connection } from '../src/platform/database/database.ts'
import type { Files } from '../src/platform/storage/files.ts'
import { type BackupSummary, backUp } from './backup/backup.ts'
import { withCliContext } from './cli-context.ts'
import { readArguments } from './read-arguments.ts'

/**
 * Tables that are not restored: sessions, so that ended ones stay ended, what refers to them, rate limits, what is used once,
 * and archives of personal data, whose files are not copied. `limits` is the name of rate limits before 0036.
 */
export const WITHOUT = [
  'sessions',
  'operator_sessions',
  'ended_sessions',
  'device_cookies',
  'passkey_challenges',
  'email_links',
  'security_events',
  'data_exports',
  'rate_limits',
  'limits',
]

/**
 * Letters that wait are not restored: they would be sent again. Those that were sent are, so that there is no second one; they
 * are also notifications.
 */
const ONLY = { outbox: 'due_at is null' }

const namesOf = (row: { folder: string } & Parameters<typeof imageFiles>[0]) => imageFiles(row)

/** Writes a backup of a shop. @throws Error if the file exists or the shop cannot be read */
export const backUpShop = (
  path: string,
  connection: Connection,
  filesOf: (shop: string) => Files,
  without: readonly string[] = WITHOUT,
): Promise<BackupSummary> =>
  backUp({ connection, filesOf, without, only: ONLY, folders: FOLDERS, namesOf }, path)

if (import.meta.main) {
  const {
    arguments: [path = ''],
  } = readArguments('Where to? npm run backup -- FILE', { least: 1 })
  await withCliContext(async ({ connection, filesOf }) => {
    const { tables, folders, lost, bytes } = await backUpShop(path, connection, filesOf)
    console.log(`${path}: ${(bytes / 1e6).toFixed(1)} MB, tables: ${tables}, pictures: ${folders}`)
    if (lost === 0) return
    console.error(
      `${lost} pictures are not in it: they have no files where DATA_DIR or STORAGE_URL leads. A restore of it removes them`,
    )
    process.exitCode = 1
  })
}
