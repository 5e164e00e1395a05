import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { emailOf } from '../../src/features/accounts/email-address.ts'
import { findByEmailOrUsername } from '../../src/features/accounts/find-user.ts'
import { makeResetLink } from '../../src/features/accounts/password-reset.ts'
import { ACTIONS } from '../../src/features/operators/contract.ts'
import { makeSetupLink } from '../../src/features/operators/first-operator.ts'
import * as log from '../../src/features/operators/log.ts'
import * as operators from '../../src/features/operators/operators.ts'
import { orderFile } from '../../src/features/sales/export.ts'
import { transaction } from '../../src/platform/database/database.ts'
import { shopOrigin } from '../cli/context.ts'
import { handleInterruption } from '../cli/interruption.ts'
import type { Command } from './command.ts'
import { moderationCommands } from './moderation-commands.ts'

/** Entries of the log that are shown. */
const MAX_SHOWN = 50

/** Name → command. */
export const commands: Record<string, Command> = {
  'setup-link': {
    summary: 'prints a link with which the first operator is named, while there is none',
    async run({ db, config }) {
      const path = await makeSetupLink(db)
      return path
        ? new URL(path, shopOrigin(config)).href
        : 'Somebody runs this shop already: npm run shop -- operator list'
    },
  },
  'operator add': {
    takes: 'EMAIL',
    reason: 'optional',
    summary: 'names an operator, who has an account',
    async run({ db, reason }, email) {
      const { id, name } = await operators.add(db, null, email, reason)
      const { confirmed } = await emailOf(db, id)
      const warning = '. The address is not confirmed: make sure that the account is theirs'
      return `${name} is an operator now, and finds the pages for it under Settings${confirmed ? '' : warning}`
    },
  },
  'operator remove': {
    takes: 'EMAIL',
    reason: 'optional',
    summary: 'removes an operator',
    async run({ db, reason }, email) {
      await operators.remove(db, null, await findByEmailOrUsername(db, email), reason)
      return `${email} is no longer an operator`
    },
  },
  'operator list': {
    summary: 'lists the operators',
    async run({ db }) {
      const all = await operators.list(db)
      return (
        all
          .map(({ name, email, added_at }) => `${name} <${email}> since ${added_at.slice(0, 10)}`)
          .join('\n') || 'There is no operator: npm run shop -- operator add EMAIL'
      )
    },
  },
  ...moderationCommands,
  'reset-password': {
    takes: 'EMAIL',
    reason: 'optional',
    summary: 'prints a link with which somebody sets a new password, for an hour',
    async run({ db, config, reason }, email) {
      const person = await findByEmailOrUsername(db, email)
      const token = await transaction(db, async db => {
        const token = await makeResetLink(db, person)
        await log.record(db, null, { action: 'password-link', person, reason })
        return token
      })
      return new URL(`/reset-password?token=${token}`, shopOrigin(config)).href
    },
  },
  'export-orders': {
    takes: 'FILE',
    reason: 'optional',
    summary: 'writes the orders of all makers, with addresses, into a CSV file that must not exist yet',
    async run({ db, reason }, file) {
      const handle = await open(file, 'wx', 0o600)
      using interruption = handleInterruption('Interrupted. Nothing is left of the file')
      try {
        // First, so that the log also has an export that is interrupted.
        await log.record(db, null, { action: 'orders-exported', reason })
        await pipeline(Readable.from(orderFile(db)), handle.createWriteStream(), {
          signal: interruption.signal,
        })
      } catch (error) {
        // Half a file would look like a whole one.
        await handle.close().catch(() => {})
        await rm(file)
        interruption.signal.throwIfAborted()
        throw error
      }
      return `The orders are in ${file}`
    },
  },
  log: {
    summary: `prints the last ${MAX_SHOWN} entries of the log`,
    async run({ db }) {
      const { entries } = await log.list(db, { limit: MAX_SHOWN })
      return entries.map(lineOf).join('\n') || 'The log is empty'
    },
  },
}

function lineOf(entry: Awaited<ReturnType<typeof log.list>>['entries'][number]): string {
  const { created_at, operator, by_command, action, person, listing, review_id, order_id, reason, rule } =
    entry
  const who = by_command ? 'a command' : (operator ?? 'a deleted account')
  const what = [
    listing && `listing ${listing.id}`,
    review_id && `review ${review_id}`,
    order_id && `order ${order_id}`,
    person && `of or about ${person}`,
  ]
  return [`${created_at} ${who} ${ACTIONS[action]}`, ...what.filter(Boolean), reason, rule && `rule: ${rule}`]
    .filter(Boolean)
    .join(', ')
}

const REASONS = { required: '--reason TEXT', optional: '[--reason TEXT]' }
const line = ([name, { takes, reason, rule, summary }]: [string, Command]) =>
  `  ${[name, takes, reason && REASONS[reason], rule && '[--rule TEXT]'].filter(Boolean).join(' ')}\n      ${summary}`

/** What there is. */
export const usage = `npm run shop -- COMMAND\n${Object.entries(commands).map(line).join('\n')}`
