/** SQLSTATE or system code of an error; '' without a code. */
const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** Whether PostgreSQL rolled a transaction back because of a concurrent one: a deadlock or a serialization failure. */
export const isRetryable = (error: unknown): boolean => /^(40P01|40001)$/.test(codeOf(error))

/** Name of the violated constraint; undefined for other errors. The feature that owns the table has the message for it. */
export function violatedConstraint(error: unknown): string | undefined {
  return codeOf(error).startsWith('23') ? (error as { constraint?: string }).constraint : undefined
}

/** Whether a statement referred to a row that is not there, or deleted one that others refer to. */
export const isForeignKeyViolation = (error: unknown): boolean => codeOf(error) === '23503'

/** Whether a statement failed because of concurrent ones: lock timeout, deadlock or serialization failure. */
export const isLockConflict = (error: unknown): boolean => codeOf(error) === '55P03' || isRetryable(error)

/** Whether a statement was cancelled by its timeout. */
export const isTooSlow = (error: unknown): boolean => codeOf(error) === '57014'

/** Messages of pg, and of the circuit breaker, whose errors have no code. */
const NO_ANSWER =
  /^(timeout |timeout: |Query read timeout|Connection (terminated|ended)|Client (was closed|has encountered)|Cannot use a pool after)/

/** Whether the database is unavailable: down, starting, stopping, out of connections or too slow. */
export function isUnavailable(error: unknown): boolean {
  // Node tried each address of a host name.
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  const code = codeOf(error)
  if (/^(08|53|57P|57014|55P03|58)/.test(code)) return true
  // These codes mean the socket only with `connect`: with other calls they mean a file.
  if (/^(ENOENT|EACCES)$/.test(code)) return (error as { syscall?: string }).syscall === 'connect'
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(code)) return 'syscall' in (error as object)
  return code === '' && NO_ANSWER.test(String((error as Error | undefined)?.message))
}
