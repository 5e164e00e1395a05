import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type OutgoingHttpHeaders, request as plainly } from 'node:http'
import { createServer, request as securely } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { type RealShop, withShop } from '../support/harness.ts'
import { shopAt, type Wire } from '../support/person.ts'
import { Faults, type Scenario } from '../support/scenario.ts'

/** Points that a rule gives a response; the sum starts at 100. */
type Rule = (headers: Record<string, string>, html: string) => number
const sources = (policy: string, directive: string): string[] | undefined =>
  policy
    .split(';')
    .map(part => part.trim().split(/\s+/))
    .find(([name]) => name === directive)
    ?.slice(1)
const BROAD = /^(?:ftp:|https?:(?:\/\/\*(?:\.\*)?)?|\*)$/

/**
 * Rules and points of the HTTP Observatory, as in mdn/mdn-http-observatory (src/grader/charts.js and
 * src/analyzer/tests) in 2026. Redirection and preloading depend on proxy and domain.
 */
const rules: Record<string, Rule> = {
  'content-security-policy': ({ 'content-security-policy': policy }) => {
    if (!policy) return -25
    const all = sources(policy, 'default-src')
    const [script, style, object] = ['script-src', 'style-src', 'object-src'].map(
      name => sources(policy, name) ?? all,
    )
    if (!script || !object || [...script, ...object].some(source => BROAD.test(source))) return -20
    if (script.some(source => /^(?:'unsafe-inline'|data:)$/.test(source))) return -20
    if ([...script, ...(style ?? [])].includes("'unsafe-eval'") || /\shttp:/.test(policy)) return -10
    if (!style || style.some(source => BROAD.test(source) || /^(?:'unsafe-inline'|data:)$/.test(source)))
      return 0
    return all?.join() === "'none'" ? 10 : 5
  },
  cookies: ({ 'set-cookie': cookie }) => {
    if (!cookie) return 0
    if (!/; ?Secure/i.test(cookie)) return -40
    if (!/; ?HttpOnly/i.test(cookie)) return -30
    return /; ?SameSite=(?:Lax|Strict)/i.test(cookie) ? 5 : 0
  },
  'cross-origin-resource-sharing': headers => (headers['access-control-allow-credentials'] ? -50 : 0),
  'referrer-policy': ({ 'referrer-policy': policy }) => {
    if (!policy) return 0
    return /^(?:no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/.test(policy) ? 5 : -5
  },
  'strict-transport-security': ({ 'strict-transport-security': transport }) => {
    const [, age] = /max-age=(\d+)/.exec(transport ?? '') ?? []
    if (age === undefined) return -20
    return Number(age) >= 15_768_000 ? 0 : -10
  },
  'subresource-integrity': (_, html) => (/<script[^>]*\ssrc="(?:https?:)?\/\//.test(html) ? -50 : 0),
  'x-content-type-options': headers => (headers['x-content-type-options'] === 'nosniff' ? 0 : -5),
  'x-frame-options': headers => {
    const ancestors = sources(headers['content-security-policy'] ?? '', 'frame-ancestors')
    if (ancestors && !ancestors.some(source => BROAD.test(source))) return 5
    return /^(?:deny|sameorigin)$/i.test(headers['x-frame-options'] ?? '') ? 0 : -20
  },
  'cross-origin-resource-policy': headers =>
    /^same-(?:origin|site)$/.test(headers['cross-origin-resource-policy'] ?? '') ? 10 : 0,
}
/** Bonus points count only above this. */
const ENOUGH = 90

function gradeOf(headers: OutgoingHttpHeaders, html: string): { score: number; lost: string[] } {
  const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const points = Object.entries(rules).map(([name, rule]) => [name, rule(flat, html)] as const)
  const lost = points.filter(([, change]) => change < 0)
  const base = 100 + lost.reduce((sum, [, change]) => sum + change, 0)
  const bonus = points.reduce((sum, [, change]) => sum + Math.max(change, 0), 0)
  return { score: base >= ENOUGH ? base + bonus : base, lost: lost.map(([name]) => name) }
}

/** A TLS proxy in front of the shop, with a certificate of its own. */
async function withTls<T>(shop: RealShop, work: (wire: Wire) => Promise<T>): Promise<T> {
  const [key, cert] = ['key.pem', 'cert.pem'].map(name => join(shop.dataDir, name))
  const ask = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
  ]
  execFileSync('openssl', [...ask, '-subj', '/CN=thrum.example', '-keyout', key!, '-out', cert!], {
    stdio: 'ignore',
  })
  const proxy = createServer({ key: readFileSync(key!), cert: readFileSync(cert!) }, (incoming, outgoing) => {
    const { method, url, headers } = incoming
    const onwards = plainly({ host: '127.0.0.1', port: shop.port, method, path: url, headers }, response => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(onwards)
  })
  await new Promise<void>(listening => proxy.listen(0, '127.0.0.1', listening))
  const { port } = proxy.address() as AddressInfo
  try {
    return await work(overTls(port))
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
}

const overTls =
  (port: number): Wire =>
  ({ method, url, headers = {}, payload }) =>
    new Promise((resolve, reject) => {
      const host = { host: 'thrum.example', ...headers }
      const sent = securely(
        { host: '127.0.0.1', port, method, path: url, headers: host, rejectUnauthorized: false },
        response => {
          let text = ''
          response.on('data', part => {
            text += part
          })
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers as OutgoingHttpHeaders,
              text,
            }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(payload as string | Buffer | undefined)
    })

export const scenario: Scenario = {
  risk: 'headers',
  promise:
    'the rules of Mozilla’s Observatory over https for a page, a call, an upload, an error: A+ (strict CSP without unsafe-inline)',
  run: () =>
    withShop({ PUBLIC_URL: 'https://thrum.example', TRUST_PROXY: '1' }, shop =>
      withTls(shop, async wire => {
        const faults = new Faults()
        const secure = shopAt(wire)
        const ana = await secure.signUp('ana')
        const { id } = await secure.list(ana)
        const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
          .png()
          .toBuffer()
        const upload = await ana.upload(`/api/products/${id}/images`, photo)
        const login = { email: ana.user.email, password: ana.password }
        const responses = {
          'landing page': await secure.visitor().get('/', { accept: 'text/html' }),
          'page of a person': await ana.get('/cart', { accept: 'text/html' }),
          'error page': await secure.visitor().get('/nowhere', { accept: 'text/html' }),
          call: await secure.visitor().get('/api/products/'),
          'call that is refused': await secure.visitor().get('/api/orders/'),
          login: await secure.visitor().post('/api/auth/login', login),
          upload,
          picture: await secure.visitor().get(String(upload.body.url)),
        }
        const scores = Object.entries(responses).map(([name, { status, headers, body }]) => {
          const { score, lost } = gradeOf(headers, typeof body === 'string' ? body : '')
          faults.expect(score >= 100 && status > 0, `${name}: ${score} (${lost})`)
          return `${name} ${score}`
        })
        return faults.outcome(`A+ is 100: ${scores.join(', ')}`)
      }),
    ),
}
