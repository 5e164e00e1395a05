import { parseArgs } from 'node:util'

interface Expected<N extends string, F extends string> {
  /** Options with a text. */
  options?: readonly N[]
  /** Options without one. */
  flags?: readonly F[]
  /** Number of arguments beside the options. */
  least?: number
  most?: number
}

interface ParsedArguments<N extends string, F extends string> {
  values: Partial<Record<N, string> & Record<F, boolean>>
  arguments: string[]
}

/**
 * What was typed after the name of a command. With --help it prints the usage and ends the program; with an unknown option or
 * another number of arguments it does so with exit code 1.
 */
export function readArguments<N extends string = never, F extends string = never>(
  usage: string,
  { options = [], flags = [], least = 0, most = least }: Expected<N, F> = {},
): ParsedArguments<N, F> {
  try {
    const { values, positionals } = parseArgs({
      options: {
        ...Object.fromEntries(options.map(name => [name, { type: 'string' as const }])),
        ...Object.fromEntries(flags.map(name => [name, { type: 'boolean' as const }])),
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
    if (values.help) {
      console.log(usage)
      process.exit()
    }
    if (positionals.length >= least && positionals.length <= most)
      return { values: values as ParsedArguments<N, F>['values'], arguments: positionals }
    console.error(usage)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
  }
  process.exit(1)
}

/** A whole number from 1 that was typed, else the default. Anything else ends the program with exit code 1. */
export function countArgument(typed: string | undefined, name: string, otherwise: number): number {
  if (typed === undefined) return otherwise
  if (/^[1-9]\d{0,8}$/.test(typed)) return Number(typed)
  console.error(`${name} must be a whole number from 1`)
  process.exit(1)
}
