import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { makeResetLink } from '../../src/features/accounts/password-reset.ts'
import * as decisions from '../../src/features/moderation/decisions.ts'
import { Statement } from '../../src/features/moderation/operate-contract.ts'
import { ACTIONS, Reason } from '../../src/features/operators/contract.ts'
import { makeSetupLink } from '../../src/features/operators/first-operator.ts'
import * as log from '../../src/features/operators/log.ts'
import * as operators from '../../src/features/operators/operators.ts'
import { orderFile } from '../../src/features/sales/export.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { type Database, transaction } from '../../src/platform/database/database.ts'
import type { Id } from '../../src/shared/contract.ts'

/** What a command gets beside its argument. */
interface Given {
  db: Database
  config: Config
  reason?: string | undefined
  rule?: string | undefined
}

interface Command {
  /** What its argument is, in capitals; undefined: none. */
  takes?: string
  optional?: true
  /** Whether it takes a reason: whom it concerns reads it. */
  reason?: true
  summary: string
  /** @returns what is printed @throws Problem, Error */
  run: (given: Given, argument: string) => Promise<string>
}

/** Entries of the log that are shown. */
const MOST_SHOWN = 50

const idOf = (argument: string): Id => {
  if (!/^[1-9]\d{0,15}$/.test(argument)) throw new Error(`${argument} is no number of a listing or a review`)
  return Number(argument)
}

/** The user with this e-mail address or username. @throws Error for nobody */
async function personOf(db: Database, named: string): Promise<Id> {
  const person = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`${named.includes('@') ? sql`lower(email)` : sql`lower(username)`} = lower(${named})`)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  if (!person) throw new Error(`Nobody has the address or username ${named}`)
  return person.id
}

/** @throws Error unless it is a reason, or one without being asked for */
function reasonOf({ reason }: Given): string {
  const parsed = Reason.safeParse(reason)
  if (!parsed.success) throw new Error(`${parsed.error.issues[0]?.message}: --reason TEXT`)
  return parsed.data
}

function statementOf(given: Given): Statement {
  const parsed = Statement.safeParse({ reason: reasonOf(given), rule: given.rule ?? '' })
  if (!parsed.success) throw new Error(parsed.error.issues[0]?.message)
  return parsed.data
}

type Decision<S> = (db: Database, actor: null, id: Id, said: S) => Promise<Id>

/** A command that decides about a listing or a review. */
const about =
  <S>(decide: Decision<S>, read: (given: Given) => S, done: string): Command['run'] =>
  async (given, argument) => {
    const id = idOf(argument)
    await transaction(given.db, db => decide(db, null, id, read(given)))
    return `${id} ${done}`
  }

/** A command that decides about a person. */
const aboutPerson =
  <S>(decide: Decision<S>, read: (given: Given) => S, done: string): Command['run'] =>
  async (given, argument) => {
    const person = await personOf(given.db, argument)
    await transaction(given.db, db => decide(db, null, person, read(given)))
    return `${argument} ${done}`
  }

/** Name → command. */
export const commands: Record<string, Command> = {
  'setup-link': {
    summary: 'prints a link with which the first operator is named, while there is none',
    async run({ db, config }) {
      const path = await makeSetupLink(db)
      const base = config.publicUrl ?? `http://localhost:${config.port}`
      return path
        ? new URL(path, base).href
        : 'Somebody runs this shop already: npm run shop -- operator list'
    },
  },
  'operator add': {
    takes: 'EMAIL',
    summary: 'names an operator, who has an account',
    async run({ db, reason = 'by a command' }, email) {
      const { name } = await operators.add(db, null, email, reason)
      return `${name} is an operator now, and finds the pages for it under Settings`
    },
  },
  'operator remove': {
    takes: 'EMAIL',
    summary: 'removes an operator',
    async run({ db, reason = 'by a command' }, email) {
      await operators.remove(db, null, await personOf(db, email), reason)
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
  'hide-listing': {
    takes: 'ID',
    reason: true,
    summary: 'hides a listing, whose number is in its address',
    run: about(decisions.hideListing, statementOf, 'is hidden'),
  },
  'show-listing': {
    takes: 'ID',
    reason: true,
    summary: 'shows a hidden listing again',
    run: about(decisions.showListing, reasonOf, 'is shown again'),
  },
  'hide-review': {
    takes: 'ID',
    reason: true,
    summary: 'hides a review',
    run: about(decisions.hideReviewOf, statementOf, 'is hidden'),
  },
  'show-review': {
    takes: 'ID',
    reason: true,
    summary: 'shows a hidden review again',
    run: about(decisions.showReviewOf, reasonOf, 'is shown again'),
  },
  suspend: {
    takes: 'EMAIL|USERNAME',
    reason: true,
    summary: 'suspends somebody: what they sell is hidden, their orders go on',
    async run(given, argument) {
      const person = await personOf(given.db, argument)
      if (await operators.isOperator(given.db, person))
        throw new Error(`${argument} is an operator: remove them first, with operator remove`)
      await transaction(given.db, db => decisions.suspend(db, null, person, statementOf(given)))
      return `${argument} is suspended`
    },
  },
  restore: {
    takes: 'EMAIL|USERNAME',
    reason: true,
    summary: 'ends a suspension',
    run: aboutPerson(decisions.restore, reasonOf, 'is no longer suspended'),
  },
  'reset-password': {
    takes: 'EMAIL',
    summary: 'prints a link with which somebody sets a new password, for an hour',
    async run({ db, config, reason = 'by a command' }, email) {
      const person = await personOf(db, email)
      const token = await transaction(db, async db => {
        const token = await makeResetLink(db, person)
        await log.record(db, null, { action: 'password-link', person, reason })
        return token
      })
      const base = config.publicUrl ?? `http://localhost:${config.port}`
      return new URL(`/reset-password?token=${token}`, base).href
    },
  },
  'export-orders': {
    takes: 'FILE',
    summary: 'writes the orders of all makers, with addresses, into a CSV file that must not exist yet',
    async run({ db, reason = 'by a command' }, file) {
      await log.record(db, null, { action: 'orders-exported', reason })
      await pipeline(Readable.from(orderFile(db)), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
      return `The orders are in ${file}`
    },
  },
  log: {
    summary: `prints the last ${MOST_SHOWN} entries of the log`,
    async run({ db }) {
      const { entries } = await log.list(db, { limit: MOST_SHOWN })
      return entries.map(lineOf).join('\n') || 'The log is empty'
    },
  },
}

function lineOf(entry: Awaited<ReturnType<typeof log.list>>['entries'][number]): string {
  const { created_at, operator, by_command, action, person, listing, review_id, order_id, reason } = entry
  const who = by_command ? 'a command' : (operator ?? 'a deleted account')
  const what = [
    listing && `listing ${listing.id}`,
    review_id && `review ${review_id}`,
    order_id && `order ${order_id}`,
    person && `of or about ${person}`,
  ]
  return [`${created_at} ${who} ${ACTIONS[action]}`, ...what.filter(Boolean), reason].join(', ')
}

const line = ([name, { takes, reason, summary }]: [string, Command]) =>
  `  ${[name, takes, reason && '--reason TEXT'].filter(Boolean).join(' ')}\n      ${summary}`

/** What there is. */
export const usage = `npm run shop -- COMMAND\n${Object.entries(commands).map(line).join('\n')}`
