import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { MAX_ZIP_BYTES, ZIP_FORM_PATH, ZIP_PATH } from '#draft-pictures/contract.ts'
import { readConfig, settingNames } from '../../src/config.ts'
import { sourceTree } from '../support/source-tree.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const dockerfile = read('deploy/Dockerfile')
const unit = read('deploy/shop.service')

interface Service {
  environment: Record<string, string>
  env_file?: { path: string; required?: boolean }[]
  volumes: string[]
  depends_on?: Record<string, { condition: string }>
  ports?: string[]
  read_only?: boolean
}
const compose = parse(read('deploy/compose.yaml')) as {
  services: Record<'shop' | 'database' | 'proxy', Service>
  volumes: Record<string, null>
}

/** Variables of Node and the C library, beside the shop's settings. */
const OTHERS = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_', 'NODE_COMPILE_CACHE']

/** The command of `npm start`: 'node --flags scripts/start.ts'. */
const { scripts, dependencies, optionalDependencies } = JSON.parse(read('package.json')) as {
  scripts: { start: string }
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
const program = scripts.start.replace(/^(?:\w+=\S+ )*exec /, '')
const given = [...scripts.start.matchAll(/(?:^| )([A-Z_]+)=(\S+)/g)]
  .map(([, name, value]) => `${name}=${value}`)
  // The cache folder differs by deployment.
  .filter(pair => !pair.startsWith('NODE_COMPILE_CACHE='))

/** Settings of an environment, parsed by the shop. */
function settingsOf(environment: Record<string, string>) {
  for (const name of Object.keys(environment).filter(name => !OTHERS.includes(name)))
    expect(settingNames).toContain(name)
  const known: Record<string, string> = { SHOP_DOMAIN: 'shop.example', POSTGRES_PASSWORD: 'secret' }
  const filled = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace(
      /\$\{(\w+)(:-)?[^}]*\}/g,
      (_, variable: string, optional?: string) => known[variable] ?? (optional ? '' : 'unknown'),
    ),
  ])
  return readConfig(Object.fromEntries(filled))
}

/** What docs/security.md demands in production. */
const REAL = { demo: false, ownListings: false, commonPasswords: false }

test('the composed shop’s settings are valid, and lead to its database', () => {
  const { env_file, environment } = compose.services.shop
  // The last file is the operator's own, which replaces what the one before has: so nothing else is in `environment`.
  expect(env_file?.map(({ path }) => path)).toEqual(['defaults.env', 'shop.env'])
  expect(Object.keys(environment)).toEqual(['DATABASE_URL', 'PUBLIC_URL'])
  const config = settingsOf({ ...parseEnv(read('deploy/defaults.env')), ...environment } as Record<
    string,
    string
  >)
  const { POSTGRES_USER, POSTGRES_DB } = compose.services.database.environment
  expect(new URL(config.databaseUrl ?? '')).toMatchObject({
    username: POSTGRES_USER,
    hostname: 'database',
    pathname: `/${POSTGRES_DB}`,
    password: 'secret',
  })
  expect(config).toMatchObject({ publicUrl: 'https://shop.example', trustProxy: 1, demo: false })
  expect(config).toMatchObject(REAL)
})

test('only the proxy of the composed shop is published, and every volume is declared', () => {
  const { shop, database, proxy } = compose.services
  expect([shop.ports, database.ports]).toEqual([undefined, undefined])
  expect(proxy.ports).toContain('443:443')
  expect(shop.read_only).toBe(true)
  expect(shop.depends_on).toEqual({ database: { condition: 'service_healthy' } })
  const named = [shop, database, proxy].flatMap(({ volumes }) =>
    volumes.map(volume => volume.split(':')[0] ?? ''),
  )
  expect(named.filter(name => !name.startsWith('.')).sort()).toEqual(Object.keys(compose.volumes).sort())
  for (const file of named.filter(name => name.startsWith('.')))
    expect(existsSync(join(root, 'deploy', file))).toBe(true)
})

test('the image runs what npm start runs, without privileges, on data of its own', () => {
  const [, command = ''] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? []
  expect((JSON.parse(command) as string[]).join(' ')).toBe(program)
  const [, variables = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? []
  const environment = Object.fromEntries(variables.split(' ').map(pair => pair.split('=')))
  expect(settingsOf(environment)).toMatchObject({ dataDir: '/data', host: '0.0.0.0' })
  expect(environment.NODE_COMPILE_CACHE).toMatch(/^\/data\//)
  for (const pair of given) expect(variables.split(' ')).toContain(pair)
  expect(dockerfile.lastIndexOf('USER node')).toBeGreaterThan(dockerfile.lastIndexOf('FROM '))
  expect(dockerfile).toMatch(/^VOLUME \/data$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK .*\\\n.*\/healthz/m)
})

test('everything that the image copies exists and is not ignored', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' '),
  )
  const letThrough = [...read('deploy/Dockerfile.dockerignore').matchAll(/^!(.*)$/gm)].map(([, name]) => name)
  const single = copied.filter(name => name !== '.')
  expect(single.length).toBeGreaterThan(5)
  for (const name of single) {
    expect(existsSync(join(root, name)), name).toBe(true)
    expect(letThrough).toContain(name)
  }
})

test('the image has the pinned Node once, and of the packages only what the program uses', () => {
  const [, version] = /^FROM \S+\/node:([\d.]+)-\S+ AS base$/m.exec(dockerfile) ?? []
  const removed = [...dockerfile.matchAll(/ (?:dependencies|optionalDependencies)\.(\S+)/g)].map(
    ([, name]) => name,
  )
  const linux = Object.keys(optionalDependencies).filter(name => name.startsWith('node-linux-'))
  for (const name of linux) expect(optionalDependencies[name]).toBe(version)
  // Backup, mail and shop are commands of the image, which neither builds, tests nor develops.
  const program = Object.entries(sourceTree).filter(([name]) =>
    /^(src|demo|scripts\/(?!(dev|mutations|vite)\/)\w+)\//.test(name),
  )
  const used = (name: string) => program.some(([, source]) => new RegExp(`['"\`]${name}['/]`).test(source))
  const buildTools = Object.keys(dependencies).filter(name => !used(name))
  expect(removed.sort()).toEqual([...buildTools, ...linux].sort())
  // The last stage begins with the base again and runs nothing: what building needs, or mounts, is not in it.
  const [last = ''] = dockerfile.split(/^FROM /m).slice(-1)
  expect(last.split('\n')[0]).toBe('base')
  expect(last).not.toMatch(/^RUN /m)
  expect([...last.matchAll(/--from=built .*?(\/\S+) /g)].map(([, folder]) => folder)).toEqual([
    '/shop/node_modules',
    '/shop/dist',
    '/data',
  ])
})

test('the service runs what npm start runs, with valid settings', () => {
  const [, executed = ''] = /^ExecStart=\S+\/(node .*)$/m.exec(unit) ?? []
  expect(executed).toBe(program)
  const [, variables = ''] = /^Environment=(.*)$/m.exec(unit) ?? []
  const environment = Object.fromEntries(variables.split(' ').map(pair => pair.split('=')))
  expect(settingsOf(environment)).toMatchObject({ dataDir: '/var/lib/shop', ...REAL })
  expect(environment.NODE_COMPILE_CACHE).toMatch(/^\/var\/lib\/shop\//)
  for (const pair of given) expect(variables.split(' ')).toContain(pair)
  // The shop stops its database itself.
  expect(unit).toMatch(/^KillMode=mixed$/m)
})

test('backup and audit beside the service find its database', () => {
  // The socket is in /tmp: the unit must share it.
  const [, folder = ''] =
    /const socketDir = `(.*?)\/thrum-/.exec(read('src/platform/embedded-postgres/paths.ts')) ?? []
  expect(folder).toBe('/tmp')
  expect(unit).toMatch(/^ReadWritePaths=\/tmp$/m)
  expect(unit).not.toMatch(/^(PrivateTmp=(yes|true|on|1|disconnected)|DynamicUser=)/m)
  const longest = `${folder}/thrum-${'f'.repeat(12)}-${2 ** 32 - 1}/.s.PGSQL.5432`
  expect(longest.length).toBeLessThanOrEqual(103)
  // Documented commands have the unit's folder, user, program and settings.
  const of = (name: string) => new RegExp(`^${name}=-?(\\S+)$`, 'm').exec(unit)?.[1]
  const [, dataDir] = /[= ]DATA_DIR=(\S+)/.exec(unit) ?? []
  const [, typed = ''] =
    /\n\n((?: {4}.*\n)+)(?<=npm run backup -- .*\n)\nIt finds/.exec(read('docs/operations.md')) ?? []
  for (const part of [
    `cd ${of('WorkingDirectory')} `,
    `. ${of('EnvironmentFile')} `,
    ` DATA_DIR=${dataDir} HOME=${dataDir}\n`,
    `runuser -u ${of('User')} -- npm run backup -- `,
  ])
    expect(typed).toContain(part)
})

test('nginx retries only safe methods, and passes PUT and DELETE on once', () => {
  const nginx = read('deploy/nginx.conf')
  const [main = '', consumed = ''] = ['/', '@once'].map(
    name => new RegExp(`^\\tlocation ${name} \\{\\n(.*?)^\\t\\}`, 'ms').exec(nginx)?.[1],
  )
  expect(main).toMatch(/if \(\$request_method ~ \^\(PUT\|DELETE\)\$\) \{\s+return 418;/)
  expect(main).toMatch(/error_page 418 = @once;/)
  expect(consumed).toMatch(/proxy_next_upstream off;/)
  expect(nginx).not.toMatch(/non_idempotent/)
  // A location with a directive of its own inherits none of the others.
  for (const location of [main, consumed]) expect(location).not.toMatch(/proxy_set_header/)
})

test.each(['/reset-password', '/confirm-email', '/letters/off/abc', '/api/letters/off/abc'])(
  'no proxy logs %s, whose address is a secret',
  path => {
    const [, pattern = '', unlogged] =
      /^\tlocation ~ (\S+) \{\n\t\taccess_log off;\n(.*?)^\t\}/ms.exec(read('deploy/nginx.conf')) ?? []
    for (const address of [path, `${path}/`]) expect(address).toMatch(new RegExp(pattern))
    expect(unlogged).toMatch(/proxy_next_upstream off;/)
    // Caddy logs nothing unless it is told to.
    expect(read('deploy/Caddyfile')).not.toMatch(/^\s*log\b/m)
  },
)

test('nginx logs no query string and no referrer', () => {
  const nginx = read('deploy/nginx.conf')
  const [, name, format = ''] = /^log_format (\w+) ([^;]+);/m.exec(nginx) ?? []
  expect(format).toContain('$uri')
  expect(format).not.toMatch(/\$(request|request_uri|args|query_string|http_referer)\b/)
  const servers = nginx.split(/^server /m).slice(1)
  for (const server of servers) expect(server).toMatch(/^\taccess_log /m)
  const logs = [...nginx.matchAll(/access_log (.+);/g)].map(([, log]) => log)
  expect(new Set(logs)).toEqual(new Set([`/var/log/nginx/access.log ${name}`, 'off']))
})

test.each(['deploy/Caddyfile', 'deploy/nginx.conf'])(
  '%s takes a photo and its form, numbers requests and hides the metrics',
  name => {
    const proxy = read(name)
    expect(proxy).toMatch(/11(MiB|m;)/)
    // A zip, and the form around it.
    const [, most = '', unit] = /max_(?:body_)?size (2\d\d)(MB|m;)/.exec(proxy) ?? []
    expect(Number(most) * (unit === 'MB' ? 1e6 : 2 ** 20)).toBeGreaterThan(MAX_ZIP_BYTES)
    const pattern = /location ~ (\S+zip\S+) \{/.exec(proxy)?.[1]
    for (const path of [ZIP_PATH, ZIP_FORM_PATH])
      for (const address of [path, `${path}/`])
        if (pattern) expect(address).toMatch(new RegExp(pattern))
        else
          expect(proxy).toMatch(
            new RegExp(`@zip path.* ${address}( |\n)[^]*@others not path.* ${address}( |\n)`),
          )
    expect(proxy).toMatch(/X-Request-Id \S+/)
    // With and without the trailing slash: the shop answers both.
    expect(proxy).toMatch(/location \/metrics \{\n\t\treturn 404|respond \/metrics\* 404/)
  },
)

test('GitHub runs the checks before a merge, and no more', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml')) as {
    jobs: Record<string, { steps: { uses?: string; run?: string }[] }>
  }
  const steps = Object.values(jobs).flatMap(job => job.steps)
  expect(steps.map(({ run }) => run).filter(Boolean)).toEqual(['.ci/run'])
  // Only GitHub's own actions.
  expect(steps.every(({ uses = 'actions/' }) => uses.startsWith('actions/'))).toBe(true)
})
