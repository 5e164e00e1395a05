import { parseArgs } from 'node:util'

interface Expected<N extends string> {
  /** Options with a text. */
  options?: readonly N[]
  /** Number of arguments beside the options. */
  least?: number
  most?: number
}

interface Given<N extends string> {
  values: Partial<Record<N, string>>
  arguments: string[]
}

/**
 * What was typed after the name of a command. With --help it prints the usage and ends the program; with an unknown option or
 * another number of arguments it does so with exit code 1.
 */
export function readArguments<N extends string = never>(
  usage: string,
  { options = [], least = 0, most = least }: Expected<N> = {},
): Given<N> {
  try {
    const { values, positionals } = parseArgs({
      options: {
        ...Object.fromEntries(options.map(name => [name, { type: 'string' as const }])),
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
    if (values.help) {
      console.log(usage)
      process.exit()
    }
    if (positionals.length >= least && positionals.length <= most)
      return { values: values as Given<N>['values'], arguments: positionals }
    console.error(usage)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
  }
  process.exit(1)
}
