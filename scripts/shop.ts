/**
 * `npm run shop -- COMMAND`: what those who run the shop do by hand, also while it runs. Without a command it lists them. Each is
 * written into the log of the operators.
 */
import { parseArgs } from 'node:util'
import { connect } from '../src/platform/database/database.ts'
import { Problem } from '../src/shared/problem.ts'
import { withCliContext } from './cli-context.ts'
import { commands, usage } from './shop/commands.ts'

/** What was typed; an option that does not exist ends it with its message and all commands. */
function typed() {
  try {
    return parseArgs({
      options: {
        help: { type: 'boolean', short: 'h' },
        reason: { type: 'string' },
        rule: { type: 'string' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exit(1)
  }
}

const {
  values: { help = false, ...options },
  positionals,
} = typed()
const [first = '', second = ''] = positionals
const name = Object.hasOwn(commands, first) ? first : `${first} ${second}`
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
const given = positionals.slice(name.split(' ').length)

if (help) console.log(usage)
else if (!command || given.length > 1 || (command.takes !== undefined && !given[0] && !command.optional)) {
  console.error(usage)
  process.exitCode = 1
} else
  await withCliContext(async ({ connection, config }) => {
    const { db, close } = connect(connection, 1)
    try {
      const said = await command.run({ db, config, ...options }, given[0] ?? '')
      console.log(said)
    } catch (error) {
      throw error instanceof Problem ? new Error(error.errors.join('\n')) : error
    } finally {
      await close()
    }
  })
