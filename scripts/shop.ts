/**
 * `npm run shop -- COMMAND`: what operators do by hand, also while it runs. Without a command it lists them. Changes,
 * exports and links for new passwords are in the log of the operators.
 */
import { Reason } from '../src/features/operators/contract.ts'
import { withCliDatabase } from './cli/context.ts'
import { readArguments } from './cli/read-arguments.ts'
import { commands, usage } from './shop/commands.ts'

const { values: options, arguments: positionals } = readArguments(usage, {
  options: ['reason', 'rule'],
  most: 3,
})
const [first = '', second = ''] = positionals
const name = Object.hasOwn(commands, first) ? first : `${first} ${second}`
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
const given = positionals.slice(name.split(' ').length)

const { takes, reason, rule } = command ?? {}

if (!command || given.length > (takes ? 1 : 0) || (takes && !given[0])) refuse(usage)
else if (options.rule !== undefined && !rule) refuse(`${name} takes no --rule`)
else if (options.reason !== undefined && !reason) refuse(`${name} takes no --reason`)
else
  await withCliDatabase(async ({ db, config }) => {
    const said = await command.run(
      { db, config, reason: reasonOf(), rule: options.rule ?? '' },
      given[0] ?? '',
    )
    console.log(said)
  })

/** @throws Error for a reason that is missing or too long */
function reasonOf(): string {
  if (!reason) return ''
  if (reason === 'optional' && options.reason === undefined) return 'by a command'
  const parsed = Reason.safeParse(options.reason)
  if (!parsed.success) throw new Error(`${parsed.error.issues[0]?.message}: --reason TEXT`)
  return parsed.data
}

function refuse(message: string): void {
  console.error(message)
  process.exitCode = 1
}
