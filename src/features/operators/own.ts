import type { Id } from '#contract'
import { Problem } from '#problem'
import type { Actor } from './log.ts'

/**
 * Operators decide nothing about themselves and what is theirs: another one does, or a command.
 * @param people whom it concerns; null: somebody who is gone
 * @throws Problem 409
 */
export function refuseOwn(actor: Actor, ...people: (Id | null)[]): void {
  if (actor !== null && people.includes(actor))
    throw new Problem(409, 'This is about you or what is yours: another operator decides it')
}
