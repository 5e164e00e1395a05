import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import * as z from 'zod'
import { type LimitName, limitDefaults } from './limit-defaults.ts'
import { type Storage, storage } from './storage-url.ts'

const whole = (name: string, least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `${name} must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine(n => n >= least && n <= most, `${name} must be a whole number from ${least} to ${most}`)

/** Processes that serve the shop together. */
const MOST_WORKERS = 64
const CONCURRENCY = `WEB_CONCURRENCY must be a whole number from 1 to ${MOST_WORKERS}, or auto`
const concurrency = z
  .string()
  .regex(/^(auto|\d{1,2})$/, CONCURRENCY)
  .transform(value => (value === 'auto' ? Math.min(availableParallelism(), MOST_WORKERS) : Number(value)))
  .refine(count => count >= 1 && count <= MOST_WORKERS, CONCURRENCY)

/** Connections of one process where nothing else is said: several share about thirty, which keep a database busy. */
const poolOf = (workers: number) => Math.max(4, Math.min(10, Math.floor(30 / workers)))

const onOff = (name: string) =>
  z.enum(['on', 'off'], `${name} must be on or off`).transform(value => value === 'on')

const address = (name: string, protocols: string[]) =>
  z
    .string()
    .refine(
      value => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `${name} must be an address that starts with ${protocols.map(p => `${p}//`).join(' or ')}`,
    )

/** Cookies, forms and links are made for a shop at the root of its address. */
const isRoot = (value: string) => {
  if (!URL.canParse(value)) return true
  const { href, origin } = new URL(value)
  return href === `${origin}/`
}

const limitSettings = Object.fromEntries(
  Object.entries(limitDefaults).map(([name, value]) => {
    const setting = `LIMIT_${name.toUpperCase()}`
    return [setting, whole(setting, 1, 1_000_000).default(value)]
  }),
)

const Settings = z.object({
  PORT: whole('PORT', 0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: address('DATABASE_URL', ['postgres:', 'postgresql:']).optional(),
  DATABASE_REPLICA_URL: address('DATABASE_REPLICA_URL', ['postgres:', 'postgresql:']).optional(),
  STORAGE_URL: storage.optional(),
  DATABASE_POOL: whole('DATABASE_POOL', 1, 100).optional(),
  WEB_CONCURRENCY: concurrency.default(1),
  PUBLIC_URL: address('PUBLIC_URL', ['http:', 'https:'])
    .refine(isRoot, 'PUBLIC_URL must be an address without a path, such as https://shop.example')
    .optional(),
  TRUST_PROXY: whole('TRUST_PROXY', 0, 10).default(0),
  DEMO: onOff('DEMO').optional(),
  SLOW_QUERY_MS: whole('SLOW_QUERY_MS', 0, 60_000).default(200),
  METRICS_PORT: whole('METRICS_PORT', 0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_TOKEN: z
    .string()
    .regex(
      /^[\x21-\x7e]{16,200}$/,
      'METRICS_TOKEN must be 16 to 200 letters, digits or signs, without blanks',
    )
    .optional(),
  LIMITS: onOff('LIMITS').default(true),
  QUOTA_MB: whole('QUOTA_MB', 1, 1_000_000).default(500),
  COMMON_PASSWORDS: z.enum(['allow', 'refuse'], 'COMMON_PASSWORDS must be allow or refuse').default('allow'),
  OWN_LISTINGS: z.enum(['allow', 'refuse'], 'OWN_LISTINGS must be allow or refuse').default('allow'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
      'LOG_LEVEL must be fatal, error, warn, info, debug or silent',
    )
    .default('warn'),
  ...limitSettings,
})

/** The name of every setting, for .env.example to be complete. */
export const settingNames: string[] = Object.keys(Settings.shape)

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
  }
}

/** Every setting of the shop, read once at start. */
export interface Config {
  readonly port: number
  readonly host: string
  /** Absolute path of the folder with the database cluster and the uploads. */
  readonly dataDir: string
  /** Undefined: the embedded database is started. */
  readonly databaseUrl: string | undefined
  /** A streaming replica of it, which may be asked for what everybody sees. */
  readonly databaseReplicaUrl: string | undefined
  /** Connections of each process to the database, and as many to its replica. */
  readonly databasePool: number
  /** Where the pictures are kept; undefined: in the folder `uploads` of `dataDir`. */
  readonly storage: Storage | undefined
  /** How many processes on this machine serve the shop together. */
  readonly workers: number
  /** Address under which people reach the shop, without a trailing slash; undefined: as the request says. */
  readonly publicUrl: string | undefined
  /** How many proxies stand in front and may say who the client is. */
  readonly trustProxy: number
  /** Demo shop and demo login. */
  readonly demo: boolean
  readonly limits: Readonly<Record<LimitName, number>> | undefined
  /** Bytes that the photos and documents of one person may take; undefined: as many as they like. */
  readonly quota: number | undefined
  /** Whether sellers may buy and review their own listings. */
  readonly ownListings: boolean
  /** Whether new passwords may be among the commonest. */
  readonly commonPasswords: boolean
  readonly logLevel: string
  /** Statements that take so many milliseconds are told in the log; 0: none is. */
  readonly slowQueryMs: number
  /** Undefined: nothing is counted. */
  readonly metrics:
    | {
        /** A port of its own; undefined: /metrics of the shop, which then asks for the token. */
        readonly port: number | undefined
        readonly host: string
        /** What whoever reads the metrics has to show; undefined: nothing. */
        readonly token: string | undefined
      }
    | undefined
}

/**
 * Reads the settings from an environment. An empty value counts as absent.
 * @throws Error with a sentence a line for every wrong value.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const read = Settings.safeParse(given)
  if (!read.success) throw new Error(read.error.issues.map(issue => issue.message).join('\n'))
  if (read.data.DATABASE_REPLICA_URL && !read.data.DATABASE_URL)
    throw new Error('DATABASE_REPLICA_URL needs DATABASE_URL: the shop’s own database has no replica')
  const s = read.data as typeof read.data & Record<string, number>
  const limits = Object.fromEntries(
    Object.keys(limitDefaults).map(name => [name, s[`LIMIT_${name.toUpperCase()}`]]),
  ) as Record<LimitName, number>
  return Object.freeze({
    port: s.PORT,
    host: s.HOST,
    dataDir: resolve(s.DATA_DIR),
    databaseUrl: s.DATABASE_URL,
    databaseReplicaUrl: s.DATABASE_REPLICA_URL,
    storage: s.STORAGE_URL,
    databasePool: s.DATABASE_POOL ?? poolOf(s.WEB_CONCURRENCY),
    workers: s.WEB_CONCURRENCY,
    publicUrl: s.PUBLIC_URL && new URL(s.PUBLIC_URL).origin,
    trustProxy: s.TRUST_PROXY,
    demo: s.DEMO ?? s.DATABASE_URL === undefined,
    limits: s.LIMITS ? Object.freeze(limits) : undefined,
    quota: s.LIMITS ? s.QUOTA_MB * 2 ** 20 : undefined,
    ownListings: s.OWN_LISTINGS === 'allow',
    commonPasswords: s.COMMON_PASSWORDS === 'allow',
    logLevel: s.LOG_LEVEL,
    slowQueryMs: s.SLOW_QUERY_MS,
    metrics:
      s.METRICS_PORT === undefined && s.METRICS_TOKEN === undefined
        ? undefined
        : Object.freeze({ port: s.METRICS_PORT, host: s.METRICS_HOST, token: s.METRICS_TOKEN }),
  })
}
