/** `npm run audit`: checks the consistency of the data, also while the shop runs. Exit code 1 if there are findings. */
import { audit } from '../src/audit.ts'
import { createClient, shopIdFor } from '../src/platform/database/database.ts'
import { withCliContext } from './cli/context.ts'
import { readArguments } from './cli/read-arguments.ts'

readArguments('npm run audit')
await withCliContext(async ({ connection, filesOf }) => {
  const client = createClient(connection, {})
  try {
    await client.connect()
    await client.query('set statement_timeout = 0')
    const { rows: tables } = await client.query<{ there: boolean }>(
      `select to_regclass('stock_ledger') is not null as there`,
    )
    if (!tables[0]?.there)
      throw new Error('The shop is of a version without a stock ledger: start it once with this one')
    const differ = await audit(client, filesOf((await shopIdFor(client)) ?? ''), console.log)
    if (differ === 0) return console.log('\nEverything agrees')
    throw new Error(`\n${differ} of these differ`)
  } finally {
    await client.end()
  }
})
