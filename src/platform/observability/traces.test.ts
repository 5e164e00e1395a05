import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openCollector, type Received } from '../../../test/support/otlp-collector.ts'
import { openShop, type Person, type TestShop } from '../../../test/support/shop.ts'
import { openTraces } from './otel.ts'
import { type Traces, unsupportedOptions, wantsTraces } from './traces.ts'

const CANARIES = /canary|secret-1|10\.9\.8\.7/
const FROM = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' }

let collector: Awaited<ReturnType<typeof openCollector>>
let shop: TestShop
let ana: Person
/** All exported spans, after the shop was closed. */
let spans: Received[]
/** Request id → description. */
const requestIds: Record<string, string> = {}

beforeAll(async () => {
  collector = await openCollector()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.address)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=guild')
  vi.stubEnv('OTEL_SERVICE_NAME', 'the-fair')
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test')
  const traces = openTraces(process.env, () => {})
  shop = await openShop({ traces, settings: { LOG_LEVEL: 'info', TRUST_PROXY: '1' } })
  ana = await shop.signUp('canary')
  const remember = async (description: string, url: string, headers: Record<string, string> = {}) => {
    const response = await ana.get(url, headers)
    requestIds[description] = String(response.headers['x-request-id'])
  }
  await remember('page', '/orders/view?q=canary-search')
  await remember('continued', '/api/orders/', { traceparent: `00-${FROM.trace}-${FROM.span}-01` })
  await remember('not sampled', '/api/orders/', { traceparent: `00-${FROM.trace}-${FROM.span}-00` })
  await remember('forged', '/api/orders/', { traceparent: '00-canary-canary-01' })
  await ana.get('/shops/canary-maker', { 'x-forwarded-for': '10.9.8.7' })
  await shop.visitor().post('/api/auth/login', { email: 'canary@example.com', password: 'canary-pass' })
  // 43 characters, as the token of a letter.
  const token = 'canary'.padEnd(43, '-canary')
  for (const page of ['reset-password', 'confirm-email']) await ana.get(`/${page}?token=${token}`)
  await shop.visitor().post('/api/auth/reset-password', { token, new_password: 'canary-pass' })
  await shop.rows('alter table orders rename to gone')
  await remember('failure', '/api/orders/')
  await shop.rows('alter table gone rename to orders')
  await ana.get('/healthz')
  await shop.close()
  spans = collector.spans
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await collector.close()
})

const spanOf = (description: string) =>
  spans.find(span => span.attributes['shop.request.id'] === requestIds[description])
const childrenOf = (parent: Received | undefined) => spans.filter(span => span.parent === parent?.id)

test('a request is a span named by its pattern, with a span for each statement', () => {
  const page = spanOf('page')
  expect(page).toMatchObject({ name: 'GET /orders/view', parent: '', failed: false })
  expect(page?.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/orders/view',
    'http.response.status_code': 200,
  })
  const statements = childrenOf(page)
  expect(statements.map(span => span.name)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^select .*\bsessions\b/),
      expect.stringMatching(/^select .*\border_lines\b/),
    ]),
  )
  for (const { trace, attributes } of statements) {
    expect(trace).toBe(page?.trace)
    expect(attributes['db.system.name']).toBe('postgresql')
    // Values are not in it. Brand and footer are asked for without one.
    if (!/\b(pages|brand)\b/.test(String(attributes['db.query.text'])))
      expect(attributes['db.query.text']).toMatch(/\$1/)
  }
})

test('a remote trace continues, and an unsampled one is not recorded', () => {
  expect(spanOf('continued')).toMatchObject({ trace: FROM.trace, parent: FROM.span })
  expect(childrenOf(spanOf('continued')).length).toBeGreaterThan(0)
  expect(spanOf('not sampled')).toBeUndefined()
  expect(spanOf('forged')).toMatchObject({ parent: '' })
})

test('without a trusted proxy, traceparent is ignored', async () => {
  const before = collector.spans.length
  const traces = openTraces(process.env, () => {})
  const open = await openShop({ traces })
  const traceparent = `00-${FROM.trace}-${FROM.span}-00`
  await open.visitor().get('/api/products/', { traceparent })
  await open.close()
  const own = collector.spans.slice(before).filter(({ name }) => name === 'GET /api/products')
  expect(own).toEqual([expect.objectContaining({ parent: '' })])
  expect(own[0]?.trace).not.toBe(FROM.trace)
})

test('a failure is marked with its SQLSTATE, without a message', () => {
  expect(spanOf('failure')).toMatchObject({ failed: true, attributes: { 'http.response.status_code': 500 } })
  const [failed] = childrenOf(spanOf('failure')).filter(span => span.failed)
  expect(failed?.attributes['error.type']).toBe('42P01')
})

test('spans have no personal data', () => {
  expect(spans.length).toBeGreaterThan(10)
  expect(JSON.stringify(spans)).not.toMatch(CANARIES)
  for (const { bytes } of collector.requests) expect(bytes.toString('latin1')).not.toMatch(CANARIES)
})

test('health checks and metrics are not traced', () => {
  expect(spans.map(span => span.name)).not.toContain('GET /healthz')
})

test('log lines have the trace id of their request', () => {
  const lines = shop.log.filter(line => line.reqId === requestIds.failure)
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(line.trace_id).toBe(spanOf('failure')?.trace)
})

test('the exporter follows the standard variables', () => {
  for (const { url, headers } of collector.requests) {
    expect(url).toBe('/v1/traces')
    expect(headers).toMatchObject({ 'x-tenant': 'guild', 'content-type': 'application/x-protobuf' })
  }
  expect(spans[0]?.resource).toMatchObject({
    'service.name': 'the-fair',
    'deployment.environment.name': 'test',
    'service.instance.id': expect.any(String),
  })
})

test.each([
  [{}, false],
  [{ OTEL_SERVICE_NAME: 'shop' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' }, true],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }, false],
  [{ OTEL_TRACES_EXPORTER: 'zipkin', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }, false],
  [{ OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'otlp' }, false],
])('%j switches traces on: %s', (env, expected) => {
  expect(wantsTraces(env)).toBe(expected)
})

test('unsupported options are reported in a sentence', () => {
  expect(unsupportedOptions({ OTEL_TRACES_EXPORTER: 'zipkin' })).toEqual([
    'OTEL_TRACES_EXPORTER=zipkin is not known here, only otlp and none: no traces are sent',
  ])
  expect(unsupportedOptions({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual([
    'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported: traces are sent as http/protobuf',
  ])
  expect(unsupportedOptions({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual([])
})

test('a sampler that drops everything sends nothing', async () => {
  const before = collector.requests.length
  const traces: Traces = openTraces({ OTEL_TRACES_SAMPLER: 'always_off' }, () => {})
  const other = await openShop({ traces })
  await other.visitor().get('/api/products/')
  await other.close()
  expect(collector.requests).toHaveLength(before)
})

test('an unreachable collector is reported once, and delays nothing', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9')
  const lines: string[] = []
  const traces = openTraces({ OTEL_BSP_EXPORT_TIMEOUT: '200' }, line => lines.push(line))
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.address)
  const other = await openShop({ traces })
  expect((await other.visitor().get('/api/products/')).status).toBe(200)
  await other.close()
  expect(lines).toEqual([expect.stringMatching(/^Traces: [^{]+$/)])
})

// The job queue imports the interfaces of OpenTelemetry (`api`), which do nothing by themselves.
test('without the variables no tracing or metrics package is loaded', () => {
  const program = `
    const loaded = []
    const { registerHooks } = await import('node:module')
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import('../src/serve.ts')
    await import('../src/main.ts')
    console.log(loaded.some(url => url.endsWith('/src/app.ts')))
    console.log(loaded.filter(url => /opentelemetry\\/(?!api\\/)|prometheus-io/.test(url)))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: new URL('../..', import.meta.url).pathname,
    encoding: 'utf8',
  })
  expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: 'true\n[]', stderr: '' })
})
