/** What an error says. That of a host name with several addresses has only the messages of its parts. */
export const messageOf = (error: unknown): string =>
  (error as Error).message ||
  (error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : String(error))
