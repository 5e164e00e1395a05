import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import * as z from 'zod'
import { mailbox, onOff, storage, url, wholeNumber } from './setting-types.ts'

/** Highest number of worker processes. */
const MAX_WORKERS = 64
const CONCURRENCY = `WEB_CONCURRENCY must be a whole number from 1 to ${MAX_WORKERS}, or auto`
const concurrency = z
  .string()
  .regex(/^(auto|\d{1,2})$/, CONCURRENCY)
  .transform(value => (value === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : Number(value)))
  .refine(count => count >= 1 && count <= MAX_WORKERS, CONCURRENCY)

/** Default pool size of one process, 4 to 10: three to eight processes have about thirty, which keep a database busy. */
const poolOf = (workers: number) => Math.max(4, Math.min(10, Math.floor(30 / workers)))

/** Whether a URL has no path. Cookies, forms and links expect the shop at the root of its host. */
const isRoot = (value: string) => {
  if (!URL.canParse(value)) return true
  const { href, origin } = new URL(value)
  return href === `${origin}/`
}

const platformSchema = z.object({
  PORT: wholeNumber('PORT', 0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: url('DATABASE_URL', ['postgres:', 'postgresql:']).optional(),
  DATABASE_REPLICA_URL: url('DATABASE_REPLICA_URL', ['postgres:', 'postgresql:']).optional(),
  STORAGE_URL: storage.optional(),
  DATABASE_POOL: wholeNumber('DATABASE_POOL', 1, 100).optional(),
  WEB_CONCURRENCY: concurrency.default(1),
  PUBLIC_URL: url('PUBLIC_URL', ['http:', 'https:'])
    .refine(isRoot, 'PUBLIC_URL must be an address without a path, such as https://shop.example')
    .optional(),
  SMTP_URL: url('SMTP_URL', ['smtp:', 'smtps:']).optional(),
  MAIL_FROM: mailbox('MAIL_FROM').optional(),
  DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i, 'DKIM_SELECTOR must be like mail or 2026.mail')
    .optional(),
  DKIM_KEY_FILE: z.string().min(1).optional(),
  TRUST_PROXY: wholeNumber('TRUST_PROXY', 0, 10).default(0),
  DEMO: onOff('DEMO').optional(),
  SLOW_QUERY_MS: wholeNumber('SLOW_QUERY_MS', 0, 60_000).default(200),
  METRICS_PORT: wholeNumber('METRICS_PORT', 0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_TOKEN: z
    .string()
    .regex(
      /^[\x21-\x7e]{16,200}$/,
      'METRICS_TOKEN must be 16 to 200 letters, digits or signs, without blanks',
    )
    .optional(),
  LIMITS: onOff('LIMITS').default(true),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
      'LOG_LEVEL must be fatal, error, warn, info, debug or silent',
    )
    .default('warn'),
})

/** The limits of the platform itself. */
const limitDefaults = {
  /** Open connections of one network at the same time, where no proxy stands in front. */
  connections: 250,
  /** Letters to one address in an hour. What exceeds it waits. */
  letters: 60,
  /** Letters in an hour to an unconfirmed address. What exceeds it waits. */
  unconfirmed_letters: 10,
}
type PlatformLimits = typeof limitDefaults

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
  }
}

/** Name of a limit → uses in one window, at most. The application adds its own by declaration merging: see `defineSettings`. */
export interface Limits extends PlatformLimits {}
type Windows = Partial<Record<keyof Limits, number>>

/** The settings by the names of the code, from those of the environment. */
const platformConfig = (s: z.output<typeof platformSchema>, limits: Limits, windows: Windows) => ({
  port: s.PORT,
  host: s.HOST,
  /** Absolute path of the folder with the database cluster and the uploads. */
  dataDir: resolve(s.DATA_DIR),
  /** Undefined: the embedded database is started. */
  databaseUrl: s.DATABASE_URL,
  /** A streaming replica of it, for reads of public data. */
  databaseReplicaUrl: s.DATABASE_REPLICA_URL,
  /** Pool size of each process, and again for the replica. */
  databasePool: s.DATABASE_POOL ?? poolOf(s.WEB_CONCURRENCY),
  /** The object store for uploaded files. Undefined for the folder `uploads` of `dataDir`. */
  storage: s.STORAGE_URL,
  /** Number of worker processes on this machine. */
  workers: s.WEB_CONCURRENCY,
  /** Public origin, 'https://shop.example'. Undefined: taken from each request. */
  publicUrl: s.PUBLIC_URL && new URL(s.PUBLIC_URL).origin,
  mail: Object.freeze({
    /** URL of the mail server. Undefined: letters are stored in the folder `mail` of `dataDir`. */
    smtpUrl: s.SMTP_URL,
    /** Sender of all letters; undefined without a mail server. */
    from: s.MAIL_FROM,
    /** Domain of the sender, for Message-ID and DKIM. */
    domain: s.MAIL_FROM?.address.split('@').at(-1) ?? 'localhost',
    dkim:
      s.DKIM_SELECTOR && s.DKIM_KEY_FILE
        ? { selector: s.DKIM_SELECTOR, keyFile: resolve(s.DKIM_KEY_FILE) }
        : undefined,
  }),
  /** Number of proxies in front, whose `X-Forwarded-…` headers are trusted. */
  trustProxy: s.TRUST_PROXY,
  /** Whether a new shop is filled with demo data, and the demo login works. */
  demo: s.DEMO ?? s.DATABASE_URL === undefined,
  /** Undefined: nothing is limited. */
  limits: s.LIMITS ? Object.freeze(limits) : undefined,
  /** Name of a limit → length of its window, seconds; an hour where it is missing. */
  windows: Object.freeze(windows),
  logLevel: s.LOG_LEVEL as string,
  /** Statements that take longer, milliseconds, are logged; 0: none. */
  slowQueryMs: s.SLOW_QUERY_MS,
  /**
   * Undefined: no metrics are collected. `port`: a port of their own; undefined: /metrics on the port of the shop, for which
   * a token is required. `token`: the bearer token that clients have to send. Undefined without one.
   */
  metrics:
    s.METRICS_PORT === undefined && s.METRICS_TOKEN === undefined
      ? undefined
      : Object.freeze({ port: s.METRICS_PORT, host: s.METRICS_HOST, token: s.METRICS_TOKEN }),
})

/** Every setting, read once at start. The application adds its own by declaration merging: see `defineSettings`. */
export interface Config extends Readonly<ReturnType<typeof platformConfig>> {}

type Shape = Record<string, z.ZodType>

/** The settings of an application on this platform. */
export interface OwnSettings<S extends Shape, C extends object = object> {
  /** Name → default. Each is a setting as well: LIMIT_SIGNUPS=500. */
  limits: Omit<Limits, keyof typeof limitDefaults>
  /** Name of a limit → length of its window, seconds. Default: an hour. */
  windows: Windows
  /** Name of a setting → schema of its text. */
  shape: S
  /** Their values in the config. @param limited false where LIMITS=off */
  config: (values: { [K in keyof S]: z.output<S[K]> }, limited: boolean) => C
}

/** Declares the settings of an application. Their types are added to `Limits` and `Config` by declaration merging. */
export const defineSettings = <S extends Shape, C extends object>(
  own: OwnSettings<S, C>,
): OwnSettings<S, C> => own

const limitSetting = (limit: string) => `LIMIT_${limit.toUpperCase()}`

function schemaOf<S extends Shape>({ limits, shape }: OwnSettings<S>) {
  const limitShape = Object.fromEntries(
    Object.entries<number>({ ...limits, ...limitDefaults }).map(([limit, value]) => {
      const name = limitSetting(limit)
      return [name, wholeNumber(name, 1, 1_000_000).default(value)]
    }),
  )
  return platformSchema.extend({ ...shape, ...limitShape })
}

/** The names of all settings: those of the platform, and an application's own. */
export const settingNamesOf = <S extends Shape>(own: OwnSettings<S>): string[] =>
  Object.keys(schemaOf(own).shape)

/**
 * Reads all settings from an environment. An empty value counts as absent.
 * @throws Error with a sentence for every wrong value, one a line; else for the first two settings that do not fit together
 */
export function parseConfig<S extends Shape>(
  env: Record<string, string | undefined>,
  own: OwnSettings<S>,
): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value))
  const read = schemaOf(own).safeParse(given)
  if (!read.success) throw new Error(read.error.issues.map(issue => issue.message).join('\n'))
  const s = read.data as z.output<typeof platformSchema>
  if (s.DATABASE_REPLICA_URL && !s.DATABASE_URL)
    throw new Error('DATABASE_REPLICA_URL needs DATABASE_URL: the shop’s own database has no replica')
  if (s.SMTP_URL && !s.MAIL_FROM) throw new Error('SMTP_URL needs MAIL_FROM: the sender of all letters')
  // Links in letters never come from a request.
  if (s.SMTP_URL && !s.PUBLIC_URL)
    throw new Error('SMTP_URL needs PUBLIC_URL: the address of links in letters')
  if (!s.DKIM_SELECTOR !== !s.DKIM_KEY_FILE)
    throw new Error('DKIM_SELECTOR and DKIM_KEY_FILE are set together, or not at all')
  const limits = Object.fromEntries(
    Object.keys({ ...own.limits, ...limitDefaults }).map(limit => [
      limit,
      (read.data as Record<string, unknown>)[limitSetting(limit)],
    ]),
  ) as unknown as Limits
  return Object.freeze({
    ...platformConfig(s, limits, own.windows),
    ...own.config(read.data as never, s.LIMITS),
  }) as Config
}
