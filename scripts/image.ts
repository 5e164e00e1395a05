/**
 * `npm run image`: builds the image of deploy/Dockerfile, measures it, starts a shop in it and requests its landing page.
 * Needs root and buildah, but no daemon. The shop listens at PORT (default 3000) of 127.0.0.1. The image stays on this
 * machine as `localhost/shop`. Exit code 1 where a step fails or the image is too large.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultBrand } from '#brand'

const root = join(import.meta.dirname, '..')
const dockerfile = join(root, 'deploy/Dockerfile')
const IMAGE = 'localhost/shop'
/** What the image may add to its base, MB. */
const MAX_ADDED = 250
/** How long the first start may take, the demo included, ms. */
const START_MS = 180_000

const BUILD_TOOLS = [
  'esbuild',
  'lightningcss',
  'lighthouse',
  'playwright-core',
  'rolldown',
  'typescript',
  'vite',
]
const OTHER_PLATFORMS = ['darwin', 'win32', 'linuxmusl', process.arch === 'x64' ? 'arm64' : 'x64']

// No container runtime is needed: buildah changes the root directory and runs the command.
process.env.BUILDAH_ISOLATION = 'chroot'

/** Runs a program whose output goes to the terminal. @throws where it fails */
const run = (program: string, ...args: string[]) =>
  void execFileSync(program, args, { cwd: root, stdio: 'inherit' })

/** What a program prints. @throws where it fails */
const outputOf = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

function requirePrograms(...programs: string[]): void {
  for (const program of programs) {
    if (spawnSync(program, ['--version']).error)
      throw new Error(`${program} is not installed. On Debian: apt-get install buildah debootstrap`)
  }
}

/** The name of the Dockerfile's base or, where it cannot be pulled, of a substitute that is made here. */
function findBase(): string {
  const source = readFileSync(dockerfile, 'utf8')
  const [, name = '', tag, release = ''] = /^FROM (\S+:(\S+-(\w+)-slim)) AS base$/m.exec(source) ?? []
  if (spawnSync('buildah', ['pull', name], { stdio: 'inherit' }).status === 0) return name
  const substitute = `localhost/shop-base:${tag}`
  console.log(`\n${name} cannot be pulled. ${substitute} takes its place, of Debian’s packages`)
  const known = spawnSync('buildah', ['inspect', '--type', 'image', substitute], { stdio: 'ignore' })
  if (known.status !== 0) makeBase(substitute, release)
  return substitute
}

/**
 * Makes an image like the official one of Node: a minimal Debian, the pinned Node, this machine's npm, the user `node`.
 * @param release of Debian, as `bookworm`
 */
function makeBase(image: string, release: string): void {
  requirePrograms('debootstrap')
  const npm = process.env.npm_execpath
  if (!npm) throw new Error('Which npm belongs into the base? Start this program as: npm run image')
  // Not in /tmp, which may forbid devices.
  const folder = mkdtempSync('/var/tmp/shop-base-')
  const files = join(folder, 'files')
  const local = join(files, 'usr/local')
  try {
    run('debootstrap', '--variant=minbase', release, files, ...debianMirror(release))
    run('chroot', files, 'apt-get', 'clean')
    run('chroot', files, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node')
    copyFileSync(join(root, 'node_modules/.bin/node'), join(local, 'bin/node'))
    const npmFolder = dirname(dirname(realpathSync(npm)))
    cpSync(npmFolder, join(local, 'lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
    // A tar file, because COPY would give every file to root.
    run('tar', '--create', '--file', join(folder, 'files.tar'), '--directory', files, '.')
    const lines = ['FROM scratch', 'ADD files.tar /', 'ENV PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin']
    writeFileSync(join(folder, 'Dockerfile'), lines.join('\n'))
    run('buildah', 'build', '--tag', image, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The mirror of this machine's apt; none where it has none of that release, and debootstrap takes its default. */
function debianMirror(release: string): string[] {
  const args = ['indextargets', '--format=$(SITE)', 'Created-By: Packages', `Release: ${release}`]
  const sites = spawnSync('apt-get', args, { encoding: 'utf8' }).stdout ?? ''
  return sites.split('\n').filter(Boolean).slice(0, 1)
}

/** Builds the image with this machine's settings of npm, which are mounted and stay out of it. */
function build(base: string): void {
  const { NODE_EXTRA_CA_CERTS: certificates, npm_config_cache, npm_config_userconfig } = process.env
  const mounts = [
    [certificates, `${certificates}:ro`],
    [npm_config_cache, '/root/.npm'],
    [npm_config_userconfig, '/root/.npmrc:ro'],
  ].flatMap(([from, to]) => (from && existsSync(from) ? ['--volume', `${from}:${to}`] : []))
  const described = ['--file', dockerfile, '--ignorefile', `${dockerfile}.dockerignore`, '--from', base]
  // The format of Docker: the one of OCI has no HEALTHCHECK.
  const options = ['--format', 'docker', '--build-arg', 'NODE_EXTRA_CA_CERTS', '--tag', IMAGE]
  run('buildah', 'build', ...described, ...options, ...mounts, root)
}

/** Does something with a container of the image, which is removed afterwards. */
async function inContainer<T>(image: string, work: (container: string) => T | Promise<T>): Promise<T> {
  const container = outputOf('buildah', 'from', '--pull-never', image)
  try {
    return await work(container)
  } finally {
    outputOf('buildah', 'rm', container)
  }
}

/** The space that an image's files take on the disk, MB. */
const sizeOf = (image: string): Promise<number> =>
  inContainer(image, container => {
    const du = ['du', '--summarize', '--one-file-system', '--block-size=1', '/']
    const bytes = outputOf('buildah', 'run', '--user', 'root', container, '--', ...du)
    return Number.parseInt(bytes, 10) / 1e6
  })

/** @throws where the image has build tools, or packages of another platform */
function checkPackages(container: string): void {
  const found = outputOf('buildah', 'run', container, '--', 'find', 'node_modules', '-maxdepth', '2')
  const unwanted = found.split('\n').filter(path => {
    const name = path.replace(/^node_modules\//, '')
    return (
      BUILD_TOOLS.includes(name) || OTHER_PLATFORMS.some(platform => name.split(/[-/]/).includes(platform))
    )
  })
  if (unwanted.length > 0) throw new Error(`The image has what it should not have: ${unwanted.join(', ')}`)
}

/** Starts the image's command as its user, and requests the landing page. @throws where there is none */
async function checkShop(container: string): Promise<void> {
  if (outputOf('buildah', 'run', container, '--', 'id', '-u') === '0')
    throw new Error('The shop would run as root')
  const { config } = JSON.parse(outputOf('buildah', 'inspect', container)).Docker as {
    config: { Cmd: string[] }
  }
  const port = process.env.PORT ?? '3000'
  const settings = ['--env', `PORT=${port}`, '--env', 'HOST=127.0.0.1']
  const began = performance.now()
  // A signal to buildah would kill the shop at once, so the shop's own process id is needed to stop it.
  const command = ['sh', '-c', 'echo $$; exec "$@"', 'sh', ...config.Cmd]
  const shop = spawn('buildah', ['run', ...settings, container, '--', ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = new Promise<number>(resolve =>
    shop.stdout.once('data', line => resolve(Number.parseInt(line, 10))),
  )
  shop.stdout.pipe(process.stdout)
  const ended = once(shop, 'exit')
  try {
    const address = `http://127.0.0.1:${port}`
    while (!(await fetch(`${address}/readyz`).catch(() => undefined))?.ok) {
      if (shop.exitCode !== null || performance.now() - began > START_MS)
        throw new Error('The shop in the image does not become ready')
      await sleep(100)
    }
    console.log(`Ready after ${seconds(began)} s`)
    const response = await fetch(address)
    const page = await response.text()
    if (!response.ok || !page.includes(defaultBrand.name) || !page.includes('href="/products/'))
      throw new Error(`The landing page is not the shop’s: ${response.status} ${page.slice(0, 200)}`)
    console.log(`The landing page has ${page.length} characters`)
  } finally {
    if (shop.exitCode === null) process.kill(await pid, 'SIGTERM')
    await ended
  }
  if (shop.exitCode !== 0) throw new Error(`The shop ended with exit code ${shop.exitCode}`)
}

const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1)

try {
  requirePrograms('buildah')
  const base = findBase()
  const began = performance.now()
  build(base)
  console.log(`\nBuilt in ${seconds(began)} s`)
  const [before, after] = [await sizeOf(base), await sizeOf(IMAGE)]
  console.log(
    `Base ${before.toFixed()} MB, image ${after.toFixed()} MB: it adds ${(after - before).toFixed()} MB`,
  )
  if (after - before > MAX_ADDED) throw new Error(`The image may add ${MAX_ADDED} MB at most`)
  await inContainer(IMAGE, checkPackages)
  await inContainer(IMAGE, checkShop)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
