import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { defineCalls } from '#contract'
import { ResponseCache } from '../cache/response-cache.ts'
import { toProblem } from '../http/error-handler.ts'
import { createApi } from './api.ts'

test('only fields of the contract leave the server', async () => {
  const app = Fastify().decorate('calls', new Map()).decorate('cache', new ResponseCache())
  const response = z.object({ name: z.string(), cups: z.array(z.object({ id: z.number() })) })
  const calls = defineCalls({ 'GET /api/person/': { summary: 'A person', response } })
  const ana = { name: 'Ana', password_hash: 'argon2id$…', cups: [{ id: 1, cost_cents: 250 }] }
  createApi(app, calls)('GET /api/person/', async () => ana)
  const served = await app.calls.get('GET /api/person/')?.(
    {},
    { server: app, headers: {} } as never,
    {} as never,
  )
  expect(served).toEqual({ name: 'Ana', cups: [{ id: 1 }] })
})

test('a public change is answered after the other processes were notified', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const published = vi.fn(() => promise)
  const app = Fastify()
    .decorate('calls', new Map())
    .decorate('cache', { published } as never)
  const calls = defineCalls({ 'PUT /api/cup': { summary: 'A cup', response: z.object({}) } })
  createApi(app, calls)('PUT /api/cup', async () => ({}))
  const answered = vi.fn()
  const put = app.calls
    .get('PUT /api/cup')?.({}, { server: app, headers: {} } as never, {} as never)
    .then(answered)
  await vi.waitFor(() => expect(published).toHaveBeenCalledOnce())
  await new Promise(setImmediate)
  expect(answered).not.toHaveBeenCalled()
  resolve()
  await put
  expect(answered).toHaveBeenCalledOnce()
})

test('what the database gave up because of a concurrent change can be tried again', () => {
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' })
  expect(toProblem(deadlock)).toMatchObject({ status: 503, retryAfter: 2 })
})

test('an unexpected error is a 500 without internals', () => {
  for (const error of [new Error('select secret from users'), 'text', 7, { message: '/etc/passwd' }]) {
    const { status, message, errors } = toProblem(error)
    expect({ status, message, errors }).toEqual({
      status: 500,
      message: 'Something went wrong. Please try again',
      errors: ['Something went wrong. Please try again'],
    })
  }
})
