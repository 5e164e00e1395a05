import { expect } from 'vitest'
import type { TestResponse } from './person.ts'

export { countStatuses, times } from './person.ts'

/** The title of a page. */
export const titleOf = (html: string): string | undefined =>
  /<title>(.*)<\/title>/.exec(html)?.[1]?.replaceAll('&amp;', '&')

/** Timeout of polling, ms, also on a machine with other load. */
export const soon = { timeout: 15_000, interval: 20 }

/** Expects exactly this refusal, in the format of every call but login and signup. */
export function expectRefusal({ status, body }: TestResponse, expected: number, ...errors: string[]): void {
  expect({ status, body }).toEqual({ status: expected, body: { message: errors[0], errors } })
}

/** A refusal of login or signup: exactly these fields with these messages. */
export function expectFields(
  { status, body }: TestResponse,
  expected: number,
  fields: Record<string, string>,
): void {
  expect({ status, body }).toEqual({ status: expected, body: fields })
}

/** A 429 with the time to wait, as text and as a number. */
export function expectLimited(
  { status, body, headers }: TestResponse,
  shape: 'fields' | 'list',
  seconds: number,
): void {
  expect(status).toBe(429)
  const wait = Number(headers['retry-after'])
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(seconds)
  const words = expect.stringMatching(/^Too many tries\. Please wait \d+ (seconds|minutes)$/)
  if (shape === 'fields') expect(body).toEqual({ server: words })
  else expect(body).toEqual({ message: words, errors: [words] })
}
