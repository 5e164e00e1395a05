import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import type { Config, Limits } from '#platform/config/config.ts'
import { readConfig, settingNames } from './config.ts'

test('without any settings: this machine, a database of its own, the demo shop', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databaseReplicaUrl: undefined,
    databasePool: 10,
    storage: undefined,
    workers: 1,
    publicUrl: undefined,
    mail: { smtpUrl: undefined, from: undefined, domain: 'localhost', dkim: undefined },
    trustProxy: 0,
    demo: true,
    limits: {
      signups: 500,
      logins: 2000,
      passkeys: 6000,
      guesses: 10,
      account_guesses: 100,
      resets: 300,
      account_resets: 10,
      link_guesses: 100,
      listings: 300,
      drafts: 6000,
      uploads: 600,
      reviews: 120,
      orders: 600,
      messages: 30,
      conversations: 10,
      reports: 30,
      pickup_guesses: 10,
      cart: 3000,
      favourites: 3000,
      changes: 1200,
      names: 20,
      confirmations: 10,
      network_confirmations: 500,
      daily_exports: 1,
      daily_downloads: 20,
      connections: 250,
      letters: 60,
      unconfirmed_letters: 10,
    },
    windows: {
      guesses: 900,
      account_guesses: 900,
      link_guesses: 900,
      daily_exports: 86_400,
      daily_downloads: 86_400,
    },
    quota: 500 * 2 ** 20,
    ownListings: true,
    commonPasswords: true,
    importPhotos: true,
    operatorPasskey: false,
    logLevel: 'warn',
    slowQueryMs: 200,
    metrics: undefined,
  } satisfies Config)
})

test('the settings are frozen', () => {
  const config = readConfig({})
  expect(Object.isFrozen(config)).toBe(true)
  expect(Object.isFrozen(config.limits)).toBe(true)
})

test('an empty value counts as absent, and unknown variables are ignored', () => {
  const empty = Object.fromEntries(settingNames.map(name => [name, '']))
  expect(readConfig({ ...empty, PATH: '/bin', npm_config_port: 'x' })).toEqual(readConfig({}))
})

/** Setting, lowest and highest value, where the value is found. */
const numbers: [name: string, min: number, max: number, of: (config: Config) => number | undefined][] = [
  ['PORT', 0, 65_535, config => config.port],
  ['DATABASE_POOL', 1, 100, config => config.databasePool],
  ['TRUST_PROXY', 0, 10, config => config.trustProxy],
  ['SLOW_QUERY_MS', 0, 60_000, config => config.slowQueryMs],
  ['QUOTA_MB', 1, 1_000_000, config => (config.quota ?? 0) / 2 ** 20],
  ['METRICS_PORT', 0, 65_535, config => config.metrics?.port],
  ...(Object.keys(readConfig({}).limits ?? {}) as (keyof Limits)[]).map((name): (typeof numbers)[number] => [
    `LIMIT_${name.toUpperCase()}`,
    1,
    1_000_000,
    config => config.limits?.[name],
  ]),
]

test.each(numbers)('%s is a whole number from %d to %d', (name, min, max, of) => {
  expect(of(readConfig({ [name]: `${min}` }))).toBe(min)
  expect(of(readConfig({ [name]: `${max}` }))).toBe(max)
  const sentence = `${name} must be a whole number from ${min} to ${max}`
  for (const wrong of [`${min - 1}`, `${max + 1}`, '1.5', '1e3', '0x10', ' 3', 'many', '9'.repeat(40)]) {
    expect(() => readConfig({ [name]: wrong }), wrong).toThrow(sentence)
  }
})

/** Setting, value, where it is found, expected value. */
const choices: [name: string, value: string, of: (config: Config) => unknown, expected: unknown][] = [
  ['HOST', '0.0.0.0', config => config.host, '0.0.0.0'],
  ['DATA_DIR', '/srv/shop', config => config.dataDir, '/srv/shop'],
  ['DATA_DIR', 'elsewhere', config => config.dataDir, resolve('elsewhere')],
  ['DATABASE_URL', 'postgres://db/shop', config => config.databaseUrl, 'postgres://db/shop'],
  ['DATABASE_URL', 'postgresql://a:b@db:1/shop', config => config.databaseUrl, 'postgresql://a:b@db:1/shop'],
  [
    'STORAGE_URL',
    's3://pictures',
    config => config.storage,
    { bucket: 'pictures', prefix: '', endpoint: undefined, region: undefined },
  ],
  [
    'STORAGE_URL',
    's3://fair.example/shop/2026/?region=eu-1&endpoint=http://store:9000',
    config => config.storage,
    { bucket: 'fair.example', prefix: 'shop/2026', endpoint: 'http://store:9000', region: 'eu-1' },
  ],
  ['PUBLIC_URL', 'https://shop.example/', config => config.publicUrl, 'https://shop.example'],
  ['PUBLIC_URL', 'HTTPS://Shop.Example:443', config => config.publicUrl, 'https://shop.example'],
  ['PUBLIC_URL', 'http://localhost:3000', config => config.publicUrl, 'http://localhost:3000'],
  ['WEB_CONCURRENCY', '4', config => config.workers, 4],
  ['WEB_CONCURRENCY', 'auto', config => config.workers, Math.min(availableParallelism(), 64)],
  ['DEMO', 'off', config => config.demo, false],
  ['DEMO', 'on', config => config.demo, true],
  ['LIMITS', 'off', config => config.limits, undefined],
  ['IMPORT_PHOTOS', 'on', config => config.importPhotos, true],
  ['IMPORT_PHOTOS', 'off', config => config.importPhotos, false],
  ['OWN_LISTINGS', 'allow', config => config.ownListings, true],
  ['OWN_LISTINGS', 'refuse', config => config.ownListings, false],
  ['COMMON_PASSWORDS', 'refuse', config => config.commonPasswords, false],
  ...['fatal', 'error', 'warn', 'info', 'debug', 'silent'].map((level): (typeof choices)[number] => [
    'LOG_LEVEL',
    level,
    config => config.logLevel,
    level,
  ]),
]

test.each(choices)('%s=%s', (name, value, of, expected) => {
  expect(of(readConfig({ [name]: value }))).toEqual(expected)
})

test('no metrics without a port or a token; a port listens on this machine alone', () => {
  const METRICS_TOKEN = 'a-token-of-sixteen'
  expect(readConfig({ METRICS_HOST: '0.0.0.0' }).metrics).toBeUndefined()
  const port = { port: 9100, host: '127.0.0.1', token: undefined }
  expect(readConfig({ METRICS_PORT: '9100' }).metrics).toEqual(port)
  expect(readConfig({ METRICS_TOKEN }).metrics).toMatchObject({ port: undefined, token: METRICS_TOKEN })
  const elsewhere = { METRICS_PORT: '9100', METRICS_HOST: '10.0.0.7', METRICS_TOKEN }
  expect(readConfig(elsewhere).metrics).toEqual({ port: 9100, host: '10.0.0.7', token: METRICS_TOKEN })
})

test('processes share the connections of one, unless a number is set', () => {
  const poolOf = (settings: Record<string, string>) => readConfig(settings).databasePool
  expect([1, 2, 3, 4, 8, 64].map(workers => poolOf({ WEB_CONCURRENCY: `${workers}` }))).toEqual([
    10, 10, 10, 7, 4, 4,
  ])
  expect(poolOf({ WEB_CONCURRENCY: '8', DATABASE_POOL: '20' })).toBe(20)
})

test('the demo shop is off with DATABASE_URL, unless DEMO=on', () => {
  const DATABASE_URL = 'postgres://db/shop'
  expect(readConfig({ DATABASE_URL }).demo).toBe(false)
  expect(readConfig({ DATABASE_URL, DEMO: 'on' }).demo).toBe(true)
})

test('a replica needs DATABASE_URL', () => {
  const urls = { DATABASE_URL: 'postgres://db/shop', DATABASE_REPLICA_URL: 'postgres://copy/shop' }
  expect(readConfig(urls).databaseReplicaUrl).toBe('postgres://copy/shop')
})

test('.env.example names every setting with its default, and sets none', async () => {
  const text = await readFile(join(import.meta.dirname, '../.env.example'), 'utf8')
  expect(parseEnv(text)).toEqual({})
  const example = parseEnv(text.replaceAll(/^# (?=[A-Z_]+=)/gm, ''))
  expect(Object.keys(example).sort()).toEqual([...settingNames].sort())
  expect(readConfig(example)).toEqual(readConfig({}))
})
