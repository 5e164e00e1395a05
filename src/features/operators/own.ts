import type { Id } from '#contract'
import { Problem } from '#problem'
import type { Actor } from './log.ts'

/**
 * Refuses a decision of operators about themselves or something of theirs: another operator decides it, or a command.
 * @param people the users concerned. Null for a deleted account
 * @throws Problem 409
 */
export function refuseOwn(actor: Actor, ...people: (Id | null)[]): void {
  if (actor !== null && people.includes(actor))
    throw new Problem(409, 'This is about you or what is yours: another operator decides it')
}
