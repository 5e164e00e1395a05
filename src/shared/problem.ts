/** Field → message. `server` is for errors of no field. */
export type FieldErrors = Record<string, string>

/**
 * A refusal with its HTTP status. The server throws it, and one error handler responds; the API client throws it for
 * every response that is not a success.
 */
export class Problem extends Error {
  /** The built pages have a copy of this class; instances of both count. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'Problem'
  }

  override readonly name = 'Problem'
  readonly status: number
  readonly errors: string[]
  /** Field → message, if the errors belong to fields of a form. */
  readonly fields: FieldErrors | undefined
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined
  /** Id of the failed request, for reports. Only in the browser. */
  readonly requestId: string | undefined

  constructor(
    status: number,
    message: string,
    more: {
      errors?: string[]
      fields?: FieldErrors
      retryAfter?: number
      requestId?: string
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.status = status
    this.errors = more.errors ?? [message]
    this.fields = more.fields
    this.retryAfter = more.retryAfter
    this.requestId = more.requestId
  }
}
