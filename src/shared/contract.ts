/**
 * The shared vocabulary of everything that crosses the wire. Browser and server read the same file,
 * so a rule and its message exist once. `zod/mini` because it costs the browser 6 kB instead of 26.
 */
import * as z from 'zod/mini'
import type { FieldErrors } from '#problem'

/** The largest id: beyond it JavaScript's numbers are no longer whole. */
const MAX_ID = Number.MAX_SAFE_INTEGER

/** One id names one thing in the whole shop: all resources draw from one sequence. */
export const Id = z.int().check(z.positive())
export type Id = z.infer<typeof Id>

/** An id inside a path. What cannot be an id names nothing, so the server answers 404 to a mismatch. */
export const PathId = z.pipe(
  z.string().check(
    z.regex(/^[1-9]\d{0,15}$/),
    z.refine(digits => Number(digits) <= MAX_ID),
  ),
  z.transform(Number),
)

const KEY = 'Idempotency-Key must be 1 to 100 visible characters'

/** The header that names an attempt, so that it counts once however often it is sent. @param means what it does here */
export const idempotencyKey = (means: string) =>
  z.optional(z.string(KEY).check(z.regex(/^[\x21-\x7e]{1,100}$/, KEY), z.describe(means)))
/** The headers of a call that takes no other. */
export const countingOnce = (means: string) => z.object({ 'idempotency-key': idempotencyKey(means) })

/** ISO 8601 in UTC. */
export const Moment = z.string()

/** Money crosses the wire as a number with at most two decimals; everywhere else it is integer cents. */
export const Money = z.number()

/** Length as people count: code points, not UTF-16 units. The database counts the same way. */
export const lengthOf = (text: string): number => [...text].length

/** Text that a database and a page can hold: no NUL, no half of a surrogate pair. */
const storable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A bound and the message for whoever crosses it. */
type Bound = readonly [characters: number, message: string]

/**
 * What a person types into a field: trimmed, then measured in code points.
 * `required` is the message for a missing or empty value.
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
  return rules.trim === false ? typed.check(...measured) : typed.check(z.trim(), ...measured)
}

/** A number a person must give: one message where it is missing, another where it is not a number at all. */
export const figure = (required: string, wrongType: string) =>
  z.number({ error: issue => (issue.input === undefined || issue.input === null ? required : wrongType) })

/** The answer of a call that has nothing to return but a sentence. */
export const Done = z.object({ message: z.string() })

/** The body of every error but those of login and signup. `message` is the first of `errors`. */
export const Refusal = z.object({ message: z.string(), errors: z.array(z.string()) })
export type Refusal = z.infer<typeof Refusal>

/** The body of an error of login and signup: field → message. `server` holds what belongs to no field. */
export const FieldRefusal = z.record(z.string(), z.string())

/** How many things a list returns at most in one answer, and without being asked. */
export const LIST_LIMIT = 100

const wholeNumber = `Limit must be a whole number from 1 to ${LIST_LIMIT}`
export const UNKNOWN_CURSOR = 'Cursor is not one of ours'
/** Which part of a list: `limit` entries after the opaque `cursor` that an earlier answer gave as `next_cursor`. */
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
/** An id that narrows a list. */
export const IdInQuery = z.pipe(
  z.string(notAnId).check(z.regex(/^[1-9]\d{0,14}$/, notAnId)),
  z.transform(Number),
)

/** One call of the API: what it takes and what it answers. Types, validation, serialization and docs come from it. */
export interface Call {
  summary: string
  params?: z.ZodMiniObject
  query?: z.ZodMiniObject
  /** By their names in small letters. */
  headers?: z.ZodMiniObject
  body?: z.ZodMiniObject
  answer: z.ZodMiniType
  /** Status of success; 200 unless told. */
  status?: 200 | 201
  /** Errors are a flat map of field to message. */
  errors?: 'fields'
  /** The body is a form with one file in the field `image`. */
  consumes?: 'multipart'
  /** How many small calls it costs as much as: a busy shop turns it away sooner. */
  cost?: number
  /**
   * The answer is a bare list that comes page by page, for a call whose query has `limit` (LIST_LIMIT unless told) and
   * `cursor`. Where there are more, a Link header leads to the next page: its cursor, made of the last entry.
   */
  cursorOf?: (last: never) => string
  /** How many of a list's entries fit on one page, where they can be large. */
  fitting?: (entries: never) => number
  /** 'public': the same response for everybody. A GET without it is private, may be cached, and so must change nothing. */
  visibility?: 'public'
  /** false: nobody else can see the change, so the cache is not cleared. Such a GET changes something, and is not cached. */
  invalidates?: false
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** 'METHOD /api/path/:param' → call. */
export type Calls = Record<`${Method} /api/${string}`, Call>

/** Declares a slice's calls and keeps their exact types. */
export const defineCalls = <const C extends Calls>(calls: C): C => calls

type Of<S, D> = S extends z.ZodMiniType ? z.output<S> : D
/** What a handler of the call receives, after validation. */
export interface Asked<C extends Call> {
  params: Of<C['params'], Record<never, never>>
  query: Of<C['query'], Record<never, never>>
  headers: Of<C['headers'], Record<never, never>>
  body: Of<C['body'], undefined>
}
/** What the call answers. */
export type Answer<C extends Call> = z.output<C['answer']>

/** The first message of each field that breaks a rule; undefined where all rules hold. */
export function broken(schema: z.ZodMiniType, value: unknown): FieldErrors | undefined {
  const result = schema.safeParse(value)
  return result.success ? undefined : firstMessages(result.error.issues)
}

/** Field → its first message. An issue of the whole body counts for the field 'server'. */
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

// Compiling schemas to functions needs eval, which the pages' Content-Security-Policy forbids.
if ('document' in globalThis) z.config({ jitless: true })
