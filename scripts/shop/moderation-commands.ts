import { findByEmailOrUsername } from '../../src/features/accounts/find-user.ts'
import * as decisions from '../../src/features/moderation/decisions.ts'
import { Statement } from '../../src/features/moderation/operate-contract.ts'
import * as operators from '../../src/features/operators/operators.ts'
import { type Database, transaction } from '../../src/platform/database/database.ts'
import type { Id } from '../../src/shared/contract.ts'
import type { Command, CommandContext } from './command.ts'

// Commands that hide listings and reviews, suspend users, and take these decisions back.

const idOf = (argument: string): Id => {
  if (!/^[1-9]\d{0,15}$/.test(argument)) throw new Error(`${argument} is no number of a listing or a review`)
  return Number(argument)
}

const reasonOf = ({ reason }: CommandContext): string => reason

function statementOf({ reason, rule }: CommandContext): Statement {
  const parsed = Statement.safeParse({ reason, rule })
  if (!parsed.success) throw new Error(parsed.error.issues[0]?.message)
  return parsed.data
}

type Decision<S> = (db: Database, actor: null, id: Id, said: S) => Promise<Id>

/** A command that decides about a listing or a review. */
const about =
  <S>(decide: Decision<S>, read: (context: CommandContext) => S, done: string): Command['run'] =>
  async (context, argument) => {
    const id = idOf(argument)
    await transaction(context.db, db => decide(db, null, id, read(context)))
    return `${id} ${done}`
  }

/** A command that decides about a person. */
const aboutPerson =
  <S>(decide: Decision<S>, read: (context: CommandContext) => S, done: string): Command['run'] =>
  async (context, argument) => {
    const person = await findByEmailOrUsername(context.db, argument)
    await transaction(context.db, db => decide(db, null, person, read(context)))
    return `${argument} ${done}`
  }

/** Name → command. */
export const moderationCommands: Record<string, Command> = {
  'hide-listing': {
    takes: 'ID',
    reason: 'required',
    rule: true,
    summary: 'hides a listing, whose number is in its address',
    run: about(decisions.hideListing, statementOf, 'is hidden'),
  },
  'show-listing': {
    takes: 'ID',
    reason: 'required',
    summary: 'shows a hidden listing again',
    run: about(decisions.showListing, reasonOf, 'is no longer hidden'),
  },
  'hide-review': {
    takes: 'ID',
    reason: 'required',
    rule: true,
    summary: 'hides a review',
    run: about(decisions.hideReviewOf, statementOf, 'is hidden'),
  },
  'show-review': {
    takes: 'ID',
    reason: 'required',
    summary: 'shows a hidden review again',
    run: about(decisions.showReviewOf, reasonOf, 'is no longer hidden'),
  },
  'hide-reply': {
    takes: 'ID',
    reason: 'required',
    rule: true,
    summary: 'hides the reply to a review, which has the number of the review',
    run: about(decisions.hideReplyTo, statementOf, 'has its reply hidden'),
  },
  'show-reply': {
    takes: 'ID',
    reason: 'required',
    summary: 'shows a hidden reply again',
    run: about(decisions.showReplyTo, reasonOf, 'has its reply shown again'),
  },
  suspend: {
    takes: 'EMAIL|USERNAME',
    reason: 'required',
    rule: true,
    summary: 'suspends somebody: what they sell is hidden, their orders go on',
    async run(context, argument) {
      const person = await findByEmailOrUsername(context.db, argument)
      if (await operators.isOperator(context.db, person))
        throw new Error(`${argument} is an operator: remove them first, with operator remove`)
      await transaction(context.db, db => decisions.suspend(db, null, person, statementOf(context)))
      return `${argument} is suspended`
    },
  },
  restore: {
    takes: 'EMAIL|USERNAME',
    reason: 'required',
    summary: 'ends a suspension',
    run: aboutPerson(decisions.restore, reasonOf, 'is no longer suspended'),
  },
}
