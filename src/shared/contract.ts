/**
 * Schemas and types shared by browser and server, so that a rule and its message exist once. `zod/mini` costs the
 * browser 6 kB instead of 26.
 */
import * as z from 'zod/mini'
import { ID } from '#id'
import type { FieldErrors } from '#problem'
import { lengthOf } from '#text'

/** The largest id that JavaScript's numbers hold exactly. */
const MAX_ID = Number.MAX_SAFE_INTEGER

/** Ids come from one sequence for all tables. */
export const Id = z.int().check(z.positive())
export type Id = z.infer<typeof Id>

/** An id in a path. An invalid one is unknown, so the server answers 404. */
export const PathId = z.pipe(
  z.string().check(
    z.regex(/^[1-9]\d{0,15}$/),
    z.refine(digits => Number(digits) <= MAX_ID),
  ),
  z.transform(Number),
)

const KEY = 'Idempotency-Key must be 1 to 100 visible characters'

/** The header of an idempotency key. @param means its effect in this call */
export const idempotencyKey = (means: string) =>
  z.optional(z.string(KEY).check(z.regex(/^[\x21-\x7e]{1,100}$/, KEY), z.describe(means)))
/** Headers of a call with only an idempotency key. */
export const idempotent = (means: string) => z.object({ 'idempotency-key': idempotencyKey(means) })

const VERSION = 'Expected-Version must be a whole number above 0'
/** The header of an expected version: the one that was seen. @param means its effect in this call */
export const expectedVersion = (means: string) =>
  z.optional(
    z.pipe(
      z
        .string(VERSION)
        .check(z.regex(/^[1-9]\d{0,9}$/, VERSION), z.describe(`The version that was seen. ${means}`)),
      z.transform(Number),
    ),
  )

/** ISO 8601 in UTC. */
export const Moment = z.string()

/** Money crosses the wire as a number with at most two decimals; everywhere else it is integer cents. */
export const Money = z.number()

/** Whether database and page can hold a text: no NUL, no half of a surrogate pair. */
const storable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A maximum length, and the message above it. */
type Bound = readonly [characters: number, message: string]

/** Label and greatest length of each text rule. Tests fill every text field of a call by it. */
export const textRules = z.registry<{ label: string; max: number }>()

/** Forms that are sent without scripts have line ends of two characters. */
const lineEnds = z.overwrite<string>(value => value.replaceAll('\r\n', '\n'))

/**
 * A text field: trimmed, with line ends of one character, then measured in code points. `required` is the message for a missing
 * or empty value.
 */
export function text(label: string, rules: { required: string; min?: Bound; max: Bound; trim?: boolean }) {
  const [atMost, tooLong] = rules.max
  const [atLeast, tooShort] = rules.min ?? [1, rules.required]
  const measured = [
    z.refine<string>(value => lengthOf(value) >= atLeast, { error: tooShort, abort: true }),
    z.refine<string>(value => lengthOf(value) <= atMost, tooLong),
    z.refine<string>(storable, `${label} contains characters that cannot be stored`),
  ] as const
  const typed = z.string(rules.required)
  const rule = rules.trim === false ? typed.check(...measured) : typed.check(lineEnds, z.trim(), ...measured)
  return rule.register(textRules, { label, max: atMost })
}

/** Text that may be left empty. @param max its greatest length, code points */
export function optionalText(label: string, max: number) {
  const missing = `${label} must be a text`
  const tooLong = `${label} cannot be more than ${max} characters`
  return text(label, { required: missing, min: [0, missing], max: [max, tooLong] })
}

/** A required number, with a message if it is missing and another if it is no number. */
export const requiredNumber = (required: string, wrongType: string) =>
  z.number({ error: issue => (issue.input === undefined || issue.input === null ? required : wrongType) })

/** The response of a call without a result. */
export const Done = z.object({ message: z.string() })

/** The body of every error but those of login and signup. `message` is the first of `errors`. */
export const Refusal = z.object({ message: z.string(), errors: z.array(z.string()) })
export type Refusal = z.infer<typeof Refusal>

/** The body of an error of login and signup: field → message. `server` is for errors of no field. */
export const FieldRefusal = z.record(z.string(), z.string())

/** Maximum and default number of entries in one response. */
export const LIST_LIMIT = 100

const wholeNumber = `Limit must be a whole number from 1 to ${LIST_LIMIT}`
export const UNKNOWN_CURSOR = 'Cursor is not one of ours'
/** Paging: `limit` entries after the opaque `cursor`, an earlier `next_cursor`. */
export const ListQuery = z.object({
  limit: z.optional(
    z.pipe(
      z.string(wholeNumber).check(z.regex(/^\d{1,3}$/, wholeNumber)),
      z.pipe(
        z.transform(Number),
        z.int().check(z.minimum(1, wholeNumber), z.maximum(LIST_LIMIT, wholeNumber)),
      ),
    ),
  ),
  cursor: z.optional(z.string(UNKNOWN_CURSOR).check(z.maxLength(200, UNKNOWN_CURSOR))),
})
export type ListQuery = z.infer<typeof ListQuery>

const notAnId = 'Id must be a whole number above 0'
/** An id as a filter. */
export const IdInQuery = z.pipe(z.string(notAnId).check(z.regex(ID, notAnId)), z.transform(Number))

/** A call of the API: input and response. Types, validation, serialization and docs follow from it. */
export interface Call {
  summary: string
  params?: z.ZodMiniObject
  query?: z.ZodMiniObject
  /** Names in lower case. */
  headers?: z.ZodMiniObject
  body?: z.ZodMiniObject
  response: z.ZodMiniType
  /** Status of success; default 200. */
  status?: 200 | 201
  /** Errors are a flat map of field to message. */
  errors?: 'fields'
  /** The body is a form with one file, mostly in the field `image`. */
  consumes?: 'multipart'
  /** Name of the field of that form with the file. Default: image. */
  field?: string
  /** Largest body, bytes, from users who are logged in; default 64 kB, from anybody. */
  maxBytes?: number
  /** Cost in the admission queue, in small requests: under overload it is refused sooner. */
  cost?: number
  /**
   * For a bare list with pages, whose query has `limit` (default LIST_LIMIT) and `cursor`: makes the cursor of the
   * next page, for a Link header, from the last entry.
   */
  cursorOf?: (last: never) => string
  /** How many entries fit on a page, if they can be large. */
  fitting?: (entries: never) => number
  /**
   * 'public': the same response for all users. A GET without it is private, may be cached, and so must change
   * nothing.
   */
  visibility?: 'public'
  /** For a GET that changes something all the same: it is not cached, and there is no HEAD. */
  changes?: true
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** 'METHOD /api/path/:param' → call. */
export type Calls = Record<`${Method} /api/${string}`, Call>

/** Declares calls and keeps their exact types. */
export const defineCalls = <const C extends Calls>(calls: C): C => calls

type OutputOf<S, D> = S extends z.ZodMiniType ? z.output<S> : D
/** Input of a call's handler, after validation. */
export interface CallInput<C extends Call> {
  params: OutputOf<C['params'], Record<never, never>>
  query: OutputOf<C['query'], Record<never, never>>
  headers: OutputOf<C['headers'], Record<never, never>>
  body: OutputOf<C['body'], undefined>
}
/** Response of a call. */
export type CallOutput<C extends Call> = z.output<C['response']>

/** First error of each field; undefined if valid. */
export function fieldErrors(schema: z.ZodMiniType, value: unknown): FieldErrors | undefined {
  const result = schema.safeParse(value)
  return result.success ? undefined : firstMessages(result.error.issues)
}

/** Field → its first message. Issues of the whole body are under 'server'. */
export function firstMessages(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): FieldErrors {
  const messages: FieldErrors = {}
  for (const issue of issues) {
    const field = String(issue.path[0] ?? 'server')
    messages[field] ??= issue.message
  }
  return messages
}

// Compiled schemas need eval, which the pages' Content-Security-Policy forbids.
if ('document' in globalThis) z.config({ jitless: true })
