import { expect } from 'vitest'
import type { Answer } from './person.ts'

export { countStatuses, times } from './person.ts'

/** How long what comes about by itself may take (ms), also on a machine that is busy with other things. */
export const soon = { timeout: 15_000, interval: 20 }

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
