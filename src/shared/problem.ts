/** Field → message. `server` holds what belongs to no field. */
export type FieldErrors = Record<string, string>

/**
 * A refusal with its HTTP status. The server throws it and one handler speaks for all;
 * the API client throws the same for every answer that is not a success.
 */
export class Problem extends Error {
  /** The built pages bring a copy of this class; a Problem of either copy is one. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'Problem'
  }

  override readonly name = 'Problem'
  readonly status: number
  readonly errors: string[]
  /** Field → message, where the errors belong to fields of a form. */
  readonly fields: FieldErrors | undefined
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | undefined
  /** Id of the request that failed, for people to tell us. Known in the browser alone. */
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
