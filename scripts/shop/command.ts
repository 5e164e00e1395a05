import type { Config } from '../../src/platform/config/config.ts'
import type { Database } from '../../src/platform/database/database.ts'

/** What a command gets beside its argument. */
export interface CommandContext {
  db: Database
  config: Config
  /** For the log; empty for a command without one. */
  reason: string
  /** Empty without one. */
  rule: string
}

export interface Command {
  /** Name of its argument, in capitals. Undefined without one. */
  takes?: string
  /** Whether it takes a reason. The user concerned reads a required one. */
  reason?: 'required' | 'optional'
  /** Whether it takes the rule that was broken. */
  rule?: true
  summary: string
  /** @returns what is printed @throws Problem, Error */
  run: (context: CommandContext, argument: string) => Promise<string>
}
