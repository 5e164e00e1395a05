import { expect } from 'vitest'
import type { Answer } from './shop.ts'

/** A refusal in the shape of every call but login and signup, word for word and with nothing beside it. */
export function expectRefusal({ status, body }: Answer, expected: number, ...errors: string[]): void {
  expect({ status, body }).toEqual({ status: expected, body: { message: errors[0], errors } })
}

/** A refusal of login or signup: exactly these fields with these messages. */
export function expectFields(
  { status, body }: Answer,
  expected: number,
  fields: Record<string, string>,
): void {
  expect({ status, body }).toEqual({ status: expected, body: fields })
}

/** Runs something many times at once: `times(20, () => ana.post(…))`. */
export function times<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => work(n)))
}

/** How often each status was answered: { 201: 1, 409: 19 }. */
export function countStatuses(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
