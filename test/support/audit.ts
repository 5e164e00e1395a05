import { join } from 'node:path'
import { audit } from '../../src/audit.ts'
import { type ConnectionOptions, createClient, shopIdFor } from '../../src/platform/database/database.ts'
import { startEmbedded } from '../../src/platform/embedded-postgres/embedded.ts'
import { type Files, localFiles } from '../../src/platform/storage/files.ts'

/**
 * Runs the audit on a shop: stock and ledger, orders and lines, ratings and reviews, pictures and files.
 * @param filesOf storage of the shop with that id
 * @throws Error with every finding
 */
export async function assertAudit(
  connection: ConnectionOptions,
  filesOf: (shop: string) => Files,
): Promise<void> {
  const client = createClient(connection, {})
  const lines: string[] = []
  try {
    await client.connect()
    await client.query('set statement_timeout = 0')
    await audit(client, filesOf((await shopIdFor(client)) ?? ''), line => lines.push(line))
  } finally {
    await client.end()
  }
  const differences = lines.filter(line => !line.startsWith('✓'))
  if (differences.length > 0) throw new Error(`the audit found differences:\n${differences.join('\n')}`)
}

/** The same for a shop with all data in its folder, running or stopped: then its database is started. */
export async function assertAuditIn(dataDir: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir: join(dataDir, 'postgres'), log: () => {} })
  try {
    await assertAudit(embedded.connection, shop => localFiles(join(dataDir, 'uploads', shop)))
  } finally {
    await embedded.stop()
  }
}
