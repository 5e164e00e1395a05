import Fastify from 'fastify'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineCalls, idempotent } from '#contract'
import { createApi } from '../api/api.ts'
import { ResponseCache } from '../cache/response-cache.ts'
import { ServerApiClient } from './rendering.ts'

test('a call of a page has its own headers, and not those of the page or of another call', async () => {
  const app = Fastify().decorate('calls', new Map()).decorate('cache', new ResponseCache())
  const call = {
    summary: 'Make a cup',
    headers: idempotent('Names this sending.'),
    response: z.object({ key: z.optional(z.string()) }),
  } as const
  createApi(app, defineCalls({ 'POST /api/cups': call }))('POST /api/cups', async ({ headers }) => ({
    key: headers['idempotency-key'],
  }))
  const request = { server: app, headers: { 'idempotency-key': 'of-the-page' } }
  const { ask } = new ServerApiClient(request as never, {} as never)
  expect(await ask('POST /api/cups', { headers: { 'idempotency-key': 'of-the-call' } })).toEqual({
    key: 'of-the-call',
  })
  expect(await ask('POST /api/cups')).toEqual({})
  expect(request.headers).toEqual({ 'idempotency-key': 'of-the-page' })
})

test('a refused call of a page names the fields only where it does over HTTP', async () => {
  const app = Fastify().decorate('calls', new Map()).decorate('cache', new ResponseCache())
  const call = {
    summary: 'Make a cup',
    body: z.object({ glaze: z.string('Glaze is required') }),
    response: z.object({}),
  } as const
  const on = createApi(
    app,
    defineCalls({ 'POST /api/cups': call, 'POST /api/named-cups': { ...call, errors: 'fields' } }),
  )
  on('POST /api/cups', async () => ({}))
  on('POST /api/named-cups', async () => ({}))
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const { ask } = new ServerApiClient({ server: app, headers: {}, log } as never, {} as never)
  const errors = ['Glaze is required']
  await expect(ask('POST /api/cups' as never)).rejects.toMatchObject({
    status: 400,
    errors,
    fields: undefined,
  })
  await expect(ask('POST /api/named-cups' as never)).rejects.toMatchObject({ fields: { glaze: errors[0] } })
})
