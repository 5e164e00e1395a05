import { createPublicKey, type KeyObject } from 'node:crypto'
import dns from 'node:dns/promises'
import type { Config } from '../config/config.ts'
import { readDkimKey } from './dkim-key.ts'

/** Time limit of a DNS query, ms, and the number of attempts. */
const LIMITS = { timeout: 3_000, tries: 2 }

type TxtResolver = Pick<dns.Resolver, 'resolveTxt'>

/** What the DNS says about the sender of letters. */
export interface DnsFinding {
  record: 'SPF' | 'DKIM' | 'DMARC'
  /** Undefined: the DNS could not be asked. */
  isFine: boolean | undefined
  /** For the operator. */
  words: string
}
type Verdict = Pick<DnsFinding, 'isFine' | 'words'>

/** The sender of letters. */
interface Sender {
  domain: string
  /** Undefined: letters are not signed. */
  dkim: { selector: string; publicKey: KeyObject } | undefined
}

const fine = (words: string): Verdict => ({ isFine: true, words })
const wrong = (words: string): Verdict => ({ isFine: false, words })

/** Codes of a name that does not exist, or has no such record. All others mean that the DNS did not say. */
const NOTHING = ['ENOTFOUND', 'ENODATA']

/** The TXT records of a name. @throws Error if the DNS cannot be asked */
async function textsAt(resolver: TxtResolver, name: string): Promise<string[]> {
  try {
    const records = await resolver.resolveTxt(name)
    // A record of more than 255 characters comes in parts.
    return records.map(parts => parts.join('').trim())
  } catch (error) {
    if (NOTHING.includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/** The tags of a DKIM or DMARC record: 'v=DMARC1; p=none'. */
const tagsOf = (text: string) =>
  new Map(
    text.split(';').map(tag => {
      const [name = '', ...value] = tag.split('=')
      return [name.trim().toLowerCase(), value.join('=').replace(/\s+/g, '')]
    }),
  )

async function checkSpf(resolver: TxtResolver, { domain }: Sender): Promise<Verdict> {
  const records = (await textsAt(resolver, domain)).filter(text => /^v=spf1(?: |$)/i.test(text))
  const [record = ''] = records
  if (records.length === 0)
    return wrong(`${domain} has none. Add a TXT record there that names your mail server: v=spf1 … -all`)
  if (records.length > 1)
    return wrong(`${domain} has ${records.length}. More than one is an error: join them into one record`)
  const terms = record.split(/\s+/)
  const last = terms.at(-1) ?? ''
  if (/^\+?all$/i.test(last))
    return wrong(`"${record}" permits every server of the world. It must end in -all or ~all`)
  if (!/^[-~]all$/i.test(last) && !terms.some(term => /^redirect=/i.test(term)))
    return wrong(`"${record}" does not end in -all or ~all, so it forbids nobody to use your domain`)
  return fine(`"${record}"`)
}

/** Whether the tag `p` of a DKIM record is this key: base64 of SubjectPublicKeyInfo, or of RSAPublicKey as in RFC 6376. */
function isPublished(p: string, key: KeyObject): boolean {
  const der = Buffer.from(p, 'base64')
  return (['spki', 'pkcs1'] as const).some(type => {
    try {
      return createPublicKey({ key: der, format: 'der', type }).equals(key)
    } catch {
      return false
    }
  })
}

async function checkDkim(resolver: TxtResolver, { domain, dkim }: Sender): Promise<Verdict> {
  if (!dkim)
    return wrong('letters are not signed here (DKIM_SELECTOR, DKIM_KEY_FILE). Perhaps your mail server signs')
  const name = `${dkim.selector}._domainkey.${domain}`
  const records = await textsAt(resolver, name)
  const p = dkim.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const wanted = `v=DKIM1; k=rsa; p=${p}`
  const [record = ''] = records
  if (records.length === 0) return wrong(`${name} has no TXT record. Add this one: ${wanted}`)
  if (records.length > 1)
    return wrong(`${name} has ${records.length} TXT records. There must be one: ${wanted}`)
  const published = tagsOf(record).get('p')
  if (published === undefined) return wrong(`${name} is no DKIM record. It must be: ${wanted}`)
  if (published === '') return wrong(`${name} has an empty p=, which revokes the key. It must be: ${wanted}`)
  if (!isPublished(published, dkim.publicKey))
    return wrong(`${name} has another key than DKIM_KEY_FILE: signatures fail. It must be: ${wanted}`)
  return fine(`${name} has the key of DKIM_KEY_FILE`)
}

/** A domain and those above it, without the top level: a domain without a record of its own has that of one above. */
function domainsAbove(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_, n) => labels.slice(n).join('.'))
}

async function checkDmarc(resolver: TxtResolver, { domain }: Sender): Promise<Verdict> {
  for (const one of domainsAbove(domain)) {
    const name = `_dmarc.${one}`
    const records = (await textsAt(resolver, name)).filter(text => /^v=DMARC1(?:;|\s|$)/i.test(text))
    const [record = ''] = records
    if (records.length === 0) continue
    if (records.length > 1) return wrong(`${name} has ${records.length} records, so none counts. Keep one`)
    const tags = tagsOf(record)
    const tag = one !== domain && tags.has('sp') ? 'sp' : 'p'
    const policy = tags.get(tag)?.toLowerCase() ?? ''
    if (!['none', 'quarantine', 'reject'].includes(policy))
      return wrong(`"${record}" at ${name} needs p=none, p=quarantine or p=reject`)
    const rest = policy === 'none' ? ': letters that others send in your name are still accepted' : ''
    return fine(`${name} has ${tag}=${policy}${rest}`)
  }
  return wrong(`_dmarc.${domain} has no TXT record. Begin with: v=DMARC1; p=none`)
}

/** Asks the DNS servers of this process about the sender in the settings. @throws Error if the DKIM key cannot be read */
export async function checkSender({ domain, dkim }: Config['mail']): Promise<DnsFinding[]> {
  const resolver = new dns.Resolver(LIMITS)
  resolver.setServers(dns.getServers())
  const key = dkim && { selector: dkim.selector, publicKey: (await readDkimKey(dkim)).publicKey }
  return checkDns(resolver, { domain, dkim: key })
}

/** Asks the DNS for what receivers of letters look up: who may send (SPF), the signature (DKIM), and the policy (DMARC). */
export function checkDns(resolver: TxtResolver, sender: Sender): Promise<DnsFinding[]> {
  const checks = { SPF: checkSpf, DKIM: checkDkim, DMARC: checkDmarc }
  return Promise.all(
    Object.entries(checks).map(async ([record, check]) => {
      const verdict = await check(resolver, sender).catch(({ code, message }) => ({
        isFine: undefined,
        words: `the DNS of ${sender.domain} could not be asked (${code ?? message}), so this is not known`,
      }))
      return { record: record as DnsFinding['record'], ...verdict }
    }),
  )
}
