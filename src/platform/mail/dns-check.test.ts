import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DnsServer, openDnsServer } from '../../../test/support/dns-server.ts'
import { checkDns } from './dns-check.ts'

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { publicKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const inDns = (key: typeof publicKey, type: 'spki' | 'pkcs1' = 'spki') =>
  key.export({ type, format: 'der' }).toString('base64')
/** A record as DNS servers keep it: in parts of at most 255 characters. */
const parts = (text: string) => text.match(/.{1,255}/g) ?? []

const DOMAIN = 'post.shop.example'
const NAME = `mail._domainkey.${DOMAIN}`
const sender = { domain: DOMAIN, dkim: { selector: 'mail', publicKey } }

let dns: DnsServer
beforeAll(async () => {
  dns = await openDnsServer()
})
afterAll(() => dns.stop())
/** All that receivers ask for. */
beforeEach(() => {
  for (const name of Object.keys(dns.records)) delete dns.records[name]
  dns.broken.clear()
  dns.records[DOMAIN] = [['other text'], ['v=spf1 include:relay.example -all']]
  dns.records[NAME] = [parts(`v=DKIM1; k=rsa; p=${inDns(publicKey)}`)]
  dns.records[`_dmarc.${DOMAIN}`] = [['v=DMARC1; p=reject; rua=mailto:post@shop.example']]
})

const check = async (record: string) =>
  (await checkDns(dns.resolver, sender)).find(finding => finding.record === record)

test('complete records are fine', async () => {
  expect(await checkDns(dns.resolver, sender)).toEqual([
    { record: 'SPF', isFine: true, words: '"v=spf1 include:relay.example -all"' },
    { record: 'DKIM', isFine: true, words: `${NAME} has the key of DKIM_KEY_FILE` },
    { record: 'DMARC', isFine: true, words: `_dmarc.${DOMAIN} has p=reject` },
  ])
})

test('records that are missing are named, with what to add', async () => {
  for (const name of Object.keys(dns.records)) delete dns.records[name]
  expect(await checkDns(dns.resolver, sender)).toEqual([
    { record: 'SPF', isFine: false, words: expect.stringContaining(`${DOMAIN} has none`) },
    { record: 'DKIM', isFine: false, words: expect.stringContaining(`p=${inDns(publicKey)}`) },
    { record: 'DMARC', isFine: false, words: expect.stringContaining('v=DMARC1; p=none') },
  ])
})

test.each([
  [['v=spf1 a mx ~all'], true, 'v=spf1 a mx ~all'],
  [['V=SPF1 redirect=_spf.relay.example'], true, 'redirect'],
  [['v=spf1 a -all', 'v=spf1 mx -all'], false, 'has 2. More than one is an error'],
  [['v=spf1 a mx'], false, 'does not end in -all'],
  [['v=spf1 a ?all'], false, 'does not end in -all'],
  [['v=spf1 +all'], false, 'permits every server'],
  [['v=spf10 -all', 'google-site-verification=x'], false, 'has none'],
])('SPF %j', async (records, isFine, words) => {
  dns.records[DOMAIN] = records.map(record => [record])
  expect(await check('SPF')).toMatchObject({ isFine, words: expect.stringContaining(words) })
})

test.each([
  ['the key in the other form', [`p=${inDns(publicKey, 'pkcs1')}`], true, 'has the key'],
  ['another key', [`v=DKIM1; p=${inDns(otherKey)}`], false, 'another key than DKIM_KEY_FILE'],
  ['no key at all', ['v=DKIM1; p=AAAA'], false, 'another key than DKIM_KEY_FILE'],
  ['a revoked key', ['v=DKIM1; p='], false, 'revokes the key'],
  ['another text', ['hello'], false, 'is no DKIM record'],
  ['two records', ['v=DKIM1; p=', 'v=DKIM1; p='], false, 'has 2 TXT records'],
])('DKIM with %s', async (_, records, isFine, words) => {
  dns.records[NAME] = records.map(parts)
  expect(await check('DKIM')).toMatchObject({ isFine, words: expect.stringContaining(words) })
})

test('letters without a signature are reported', async () => {
  const [, finding] = await checkDns(dns.resolver, { domain: DOMAIN, dkim: undefined })
  expect(finding).toMatchObject({ isFine: false, words: expect.stringContaining('not signed') })
})

test.each([
  [{ [DOMAIN]: ['v=DMARC1; p=none'] }, true, 'p=none: letters that others send in your name are still'],
  [{ 'shop.example': ['v=DMARC1; p=quarantine'] }, true, '_dmarc.shop.example has p=quarantine'],
  [{ 'shop.example': ['v=DMARC1; p=none; sp=reject'] }, true, '_dmarc.shop.example has sp=reject'],
  [{ example: ['v=DMARC1; p=reject'] }, false, `_dmarc.${DOMAIN} has no TXT record`],
  [{ [DOMAIN]: ['v=DMARC1; p=none', 'v=DMARC1; p=none'] }, false, 'has 2 records, so none counts'],
  [{ [DOMAIN]: ['v=DMARC1; p=nothing'] }, false, 'needs p=none, p=quarantine or p=reject'],
])('DMARC %j', async (records, isFine, words) => {
  delete dns.records[`_dmarc.${DOMAIN}`]
  for (const [domain, texts] of Object.entries(records))
    dns.records[`_dmarc.${domain}`] = texts.map(text => [text])
  expect(await check('DMARC')).toMatchObject({ isFine, words: expect.stringContaining(words) })
})

test('a DNS server that fails or cannot be reached is reported as unknown, not as a missing record', async () => {
  dns.broken.add(DOMAIN)
  expect(await check('SPF')).toMatchObject({ isFine: undefined, words: expect.stringContaining('ESERVFAIL') })
  expect(await check('DMARC')).toMatchObject({ isFine: true })
  const gone = await openDnsServer()
  await gone.stop()
  for (const { isFine, words } of await checkDns(gone.resolver, sender)) {
    expect(isFine).toBeUndefined()
    expect(words).toMatch(/could not be asked \(E(?:CONNREFUSED|TIMEOUT)\), so this is not known/)
  }
})
