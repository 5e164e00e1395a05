import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { jitParser } from './response-schema.ts'

const Cup = z.object({ id: z.number(), glaze: z.nullable(z.string()), chip: z.optional(z.string()) })
const schema = z.object({
  name: z.string().check(z.maxLength(5)),
  kind: z.enum(['jug', 'bowl']),
  cups: z.array(Cup),
  first: z.nullable(Cup),
  last: z.optional(Cup),
  also: z.union([z.number(), z.object({ n: z.number() })]),
  price: z.pipe(
    z.number(),
    z.transform(cents => cents / 100),
  ),
})
const parse = jitParser(schema)
const jug = { name: 'Ana', kind: 'jug', cups: [], first: null, also: 1, price: 250 }
const cup = { id: 1, glaze: null }

test.each([
  ['what is named', jug],
  ['what is not named', { ...jug, secret: 1, cups: [{ ...cup, cost: 2 }], first: { ...cup, cost: 3 } }],
  ['what need not be there', { ...jug, last: cup, cups: [{ ...cup, chip: 'rim' }] }],
  ['what need not be there, as nothing', { ...jug, last: undefined, cups: [{ ...cup, chip: undefined }] }],
  ['one of two', { ...jug, also: { n: 3, m: 4 } }],
])('takes the same as the schema: %s', (_, value) => {
  const expected = schema.parse(value)
  expect(parse(value)).toStrictEqual(expected)
  expect(JSON.stringify(parse(value))).toBe(JSON.stringify(expected))
  expect(parse(value)).not.toBe(value)
})

test.each([
  ['no object', 7],
  ['nothing', undefined],
  ['a field that is missing', { ...jug, kind: undefined }],
  ['a rule that is broken', { ...jug, name: 'Mirabel' }],
  ['something else in a list', { ...jug, cups: [cup, { id: '2', glaze: null }] }],
  ['null where there must be something', { ...jug, cups: null }],
])('refuses what the schema refuses: %s', (_, value) => {
  const { error } = schema.safeParse(value)
  expect(() => parse(value)).toThrow()
  const paths = (issues: readonly { path: PropertyKey[] }[] = []) => issues.map(({ path }) => path.join('.'))
  let refusal: { issues?: { path: PropertyKey[] }[] } = {}
  try {
    parse(value)
  } catch (thrown) {
    refusal = thrown as typeof refusal
  }
  expect(paths(refusal.issues)).toEqual(paths(error?.issues))
  expect(refusal.issues?.length).toBeGreaterThan(0)
})

test('a frozen object is parsed into a copy that can be changed', () => {
  const shared = Object.freeze({ ...cup, cost: 2 })
  const { cups } = parse({ ...jug, cups: [shared] })
  expect(cups).toEqual([cup])
  expect(cups[0]).not.toBe(shared)
  expect(Object.isFrozen(cups[0])).toBe(false)
})
