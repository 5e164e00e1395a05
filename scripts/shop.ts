/**
 * `npm run shop -- COMMAND`: what operators do by hand, also while it runs. Without a command it lists them. Each is
 * written into the log of the operators.
 */
import { withCliDatabase } from './cli-context.ts'
import { readArguments } from './read-arguments.ts'
import { commands, usage } from './shop/commands.ts'

const { values: options, arguments: positionals } = readArguments(usage, {
  options: ['reason', 'rule'],
  most: 3,
})
const [first = '', second = ''] = positionals
const name = Object.hasOwn(commands, first) ? first : `${first} ${second}`
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
const given = positionals.slice(name.split(' ').length)

const { takes } = command ?? {}

if (!command || given.length > (takes ? 1 : 0) || (takes && !given[0])) {
  console.error(usage)
  process.exitCode = 1
} else
  await withCliDatabase(async ({ db, config }) => {
    const said = await command.run({ db, config, ...options }, given[0] ?? '')
    console.log(said)
  })
