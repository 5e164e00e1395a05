/**
 * Tables that are not restored: sessions, so that ended ones stay ended, what refers to them, rate limits, what is used once,
 * and archives of personal data, whose files are not copied. `limits` is the name of rate limits before 0036.
 */
export const EXCLUDED_TABLES: readonly string[] = [
  'sessions',
  'operator_sessions',
  'ended_sessions',
  'device_cookies',
  'passkey_challenges',
  'email_links',
  'security_events',
  'data_exports',
  'rate_limits',
  'limits',
]

/**
 * Table → the SQL condition of the rows that are kept. Letters that wait are not restored: they would be sent again. Those that
 * were sent are, so that there is no second one; they are also notifications.
 */
export const ROW_CONDITIONS: Readonly<Record<string, string>> = { outbox: 'due_at is null' }
