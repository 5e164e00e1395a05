import { expect, test } from 'vitest'
import { messageOf } from './message-of.ts'

test('an error of several addresses says what each said', () => {
  const errors = ['connect ECONNREFUSED 127.0.0.1:1', 'connect ECONNREFUSED ::1:1'].map(
    text => new Error(text),
  )
  expect(messageOf(new AggregateError(errors))).toBe(errors.map(({ message }) => message).join('; '))
  expect(messageOf(errors[0])).toBe('connect ECONNREFUSED 127.0.0.1:1')
})
