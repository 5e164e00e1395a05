import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const token = 'METRICS_TOKEN must be 16 to 200 letters, digits or signs, without blanks'
const database = 'DATABASE_URL must be an address that starts with postgres:// or postgresql://'
const address = 'PUBLIC_URL must be an address that starts with http:// or https://'
const root = 'PUBLIC_URL must be an address without a path, such as https://shop.example'
const storage =
  'STORAGE_URL must be like s3://bucket/prefix?endpoint=https://store.example&region=eu-1, without a key in it'
test.each([
  ...[
    'pictures',
    's3:///pictures',
    's3://Pictures',
    'https://pictures.s3.amazonaws.com',
    's3://key:secret@pictures',
    's3://pictures?endpoint=store:9000',
    's3://pictures?secret=x',
    's3://pictures/a%20b',
    's3://pictures:9000',
  ].map((value): [string, string, string] => ['STORAGE_URL', value, storage]),
  ['DATABASE_REPLICA_URL', 'mysql://db/shop', database.replace('_URL', '_REPLICA_URL')],
  [
    'DATABASE_REPLICA_URL',
    'postgres://db/shop',
    'DATABASE_REPLICA_URL needs DATABASE_URL: the shop’s own database has no replica',
  ],
  ['DATABASE_URL', 'mysql://db/shop', database],
  ['DATABASE_URL', 'db/shop', database],
  ['PUBLIC_URL', 'shop.example', address],
  ['PUBLIC_URL', 'ftp://shop.example', address],
  ['PUBLIC_URL', 'https://fair.example/shop', root],
  ['PUBLIC_URL', 'https://shop.example/?from=fair', root],
  ['PUBLIC_URL', 'https://maker:secret@shop.example', root],
  ...['0', '65', '1.5', 'all', '-1', ' '].map((value): [string, string, string] => [
    'WEB_CONCURRENCY',
    value,
    'WEB_CONCURRENCY must be a whole number from 1 to 64, or auto',
  ]),
  ['DEMO', 'true', 'DEMO must be on or off'],
  ['LIMITS', '1', 'LIMITS must be on or off'],
  ['IMPORT_PHOTOS', 'yes', 'IMPORT_PHOTOS must be on or off'],
  ['OWN_LISTINGS', 'no', 'OWN_LISTINGS must be allow or refuse'],
  ['COMMON_PASSWORDS', 'no', 'COMMON_PASSWORDS must be allow or refuse'],
  ['METRICS_TOKEN', 'short', token],
  ['METRICS_TOKEN', 'a token with blanks in it', token],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be fatal, error, warn, info, debug or silent'],
])('%s=%s is refused with a message', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(new Error(sentence))
})

test('several wrong values are reported together, a line each', () => {
  expect(() => readConfig({ PORT: 'x', DEMO: 'x' })).toThrow(
    'PORT must be a whole number from 0 to 65535\nDEMO must be on or off',
  )
})

test('operators need a passkey only where there can be one', () => {
  const on = { OPERATOR_PASSKEY: 'on' }
  for (const PUBLIC_URL of ['https://shop.example', 'http://localhost:3000', ''])
    expect(readConfig({ ...on, PUBLIC_URL }).operatorPasskey).toBe(true)
  for (const PUBLIC_URL of ['http://shop.lan', 'https://192.0.2.7'])
    expect(() => readConfig({ ...on, PUBLIC_URL })).toThrow(
      'OPERATOR_PASSKEY=on needs a PUBLIC_URL with https',
    )
})
