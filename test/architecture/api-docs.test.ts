import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { apiDocs } from '../../scripts/api-docs.ts'
import { allCalls } from '../support/resilience/calls.ts'

interface Operation {
  summary: string
  parameters: { name: string; in: string; required: boolean; description?: string }[]
  requestBody?: { content: Record<string, { schema: { $ref?: string; required?: string[] } }> }
  responses: Record<string, { content: Record<string, { schema: { $ref?: string } }> }>
}
interface Docs {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { required?: string[]; properties?: Record<string, object> }> }
}

/** Every call of the specification. */
const CALLS = `
  GET /api/auth/
  POST /api/auth/login
  POST /api/auth/signup
  GET /api/auth/logout
  GET /api/products/
  GET /api/products/{id}
  GET /api/products/current
  POST /api/products/
  PUT /api/products/{id}
  DELETE /api/products/{id}
  POST /api/products/{id}/images
  GET /api/cart_items/{id}
  POST /api/cart_items/add/{productId}
  PUT /api/cart_items/{id}
  DELETE /api/cart_items/{id}
  GET /api/reviews/{productId}/reviews
  POST /api/reviews/{productId}/create-review
  POST /api/reviews/{id}/edit-review/
  DELETE /api/reviews/{id}/delete-review
  GET /api/orders/
  GET /api/orders/order-items/{any}
  DELETE /api/orders/{orderId}/delete-order
  POST /api/orders/checkout`
  .trim()
  .split(/\s*\n\s*/)

let written: string
let docs: Docs
beforeAll(async () => {
  written = await readFile(join(import.meta.dirname, '../../docs/api.json'), 'utf8')
  docs = JSON.parse(written)
})

const call = (key: string): Operation => {
  const [method = '', path = ''] = key.split(' ')
  const found = docs.paths[path]?.[method.toLowerCase()]
  if (!found) throw new Error(`${key} is not documented`)
  return found
}
const refOf = (content: Record<string, { schema: { $ref?: string } }> | undefined) =>
  content?.['application/json']?.schema.$ref?.split('/').at(-1)

test('the checked-in file matches the contracts: else run `npm run api-docs`', () => {
  expect(written).toBe(apiDocs())
})

test('all 23 calls are documented', () => {
  const documented = Object.entries(docs.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(method => `${method.toUpperCase()} ${path}`),
  )
  expect(documented).toEqual(expect.arrayContaining(CALLS))
  expect(CALLS).toHaveLength(23)
})

test('every call has a purpose, a response and its errors', () => {
  for (const key of CALLS) {
    const { summary, responses, parameters } = call(key)
    expect(summary, key).toMatch(/^[A-Z].{4,}/)
    expect(Object.keys(responses), key).toEqual([expect.stringMatching(/^20[01]$/), 'default'])
    const errors = /login|signup/.test(key) ? 'FieldRefusal' : 'Refusal'
    expect(refOf(responses.default?.content), key).toBe(errors)
    const inPath = parameters.filter(parameter => parameter.in === 'path' && parameter.required)
    expect(
      inPath.map(({ name }) => `{${name}}`),
      key,
    ).toEqual(key.match(/\{\w+\}/g) ?? [])
  }
})

test('bodies, files and queries are described', () => {
  expect(refOf(call('POST /api/auth/signup').requestBody?.content)).toBe('Signup')
  expect(refOf(call('POST /api/products/').responses['201']?.content)).toBe('Listing')
  expect(docs.components.schemas.Signup?.required).toEqual([
    'email',
    'first_name',
    'last_name',
    'username',
    'password',
  ])
  expect(call('POST /api/orders/checkout').requestBody).toBeUndefined()
  const upload = call('POST /api/products/{id}/images').requestBody?.content
  expect(upload?.['multipart/form-data']?.schema.required).toEqual(['image'])
  expect(call('GET /api/products/current').parameters.map(({ name }) => name)).toEqual(['limit', 'cursor'])
})

test('every call of every contract is documented', async () => {
  const keys = Object.entries(docs.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(method => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(keys.sort()).toEqual(Object.keys(await allCalls()).sort())
})

test('every reference resolves', () => {
  const refs = [...written.matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
  expect(new Set(refs)).toEqual(new Set(Object.keys(docs.components.schemas)))
  expect(written).not.toContain('$defs')
})

test('only signup and login send a password, and no response contains one', () => {
  const { schemas } = docs.components
  const holding = Object.keys(schemas).filter(name => 'password' in (schemas[name]?.properties ?? {}))
  expect(holding.sort()).toEqual(['Login', 'Signup'])
  const sending = CALLS.filter(key => holding.includes(refOf(call(key).requestBody?.content) ?? ''))
  expect(sending).toEqual(['POST /api/auth/login', 'POST /api/auth/signup'])
  const answering = CALLS.flatMap(key =>
    Object.values(call(key).responses).map(({ content }) => refOf(content)),
  )
  for (const name of holding) expect(answering).not.toContain(name)
  // Besides these, changing the password takes the old and the new one, a reset the new one, and deleting the account the
  // present one.
  const speaking = Object.keys(schemas).filter(name => JSON.stringify(schemas[name]).includes('password'))
  // The log names an action so.
  const action = JSON.stringify(schemas.LogEntry).match(/[\w-]*password[\w-]*/g)
  expect(action).toEqual(['password-link'])
  expect(speaking.sort()).toEqual([
    'Deletion',
    'LogEntry',
    'Login',
    'PasswordChange',
    'PasswordReset',
    'Signup',
  ])
  for (const name of ['PasswordChange', 'PasswordReset', 'Deletion']) expect(answering).not.toContain(name)
})

test('the list of listings takes the parameters of a search, each with a description', () => {
  const parameters = call('GET /api/products/').parameters.map(({ name }) => name)
  for (const name of ['q', 'category', 'min', 'max', 'in_stock', 'rating', 'sort', 'limit', 'cursor'])
    expect(parameters).toContain(name)
  const all = Object.values(docs.paths).flatMap(path => Object.values(path).flatMap(each => each.parameters))
  const undescribed = all.filter(each => each.in === 'query' && !each.description)
  expect(undescribed).toEqual([])
})
