/** Builds the pages for browser and server, each version into a folder of its own: `node scripts/build.ts [FOLDER]`. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  chmod,
  cp,
  glob,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
/** A running shop serves the files of its own build, so this many newest remain, and all in recent use. */
const MAX_BUILDS = 4
const HOUR_MS = 60 * 60 * 1000
const WEEK_MS = 7 * 24 * HOUR_MS

/**
 * The folder with the pages of exactly these sources, built if missing. Concurrent builds use temporary folders; the
 * first to finish is used.
 * @throws where they are not built and Vite is not installed, as in the image, which has built pages and no build tools
 */
export async function ensureBuilt(log: (line: string) => void): Promise<string> {
  const folder = join(dist, (await fingerprint()).slice(0, 16))
  if (existsSync(folder)) {
    // Marks it as used. If dist is read-only, no build is deleted either.
    await utimes(folder, new Date(), new Date()).catch(() => {})
    return folder
  }
  if (!existsSync(join(root, 'node_modules/vite')))
    throw new Error(
      'The pages of these sources are not built, and Vite is not there to build them: npm install',
    )
  log('Building the pages…')
  await mkdir(dist, { recursive: true })
  const temporary = await mkdtemp(join(dist, '.building-'))
  try {
    // In a process of its own, because the memory of a build is never freed.
    await promisify(execFile)(process.execPath, [import.meta.filename, temporary])
    // mkdtemp allows only its own account; another one may serve.
    await chmod(temporary, 0o755)
    await rename(temporary, folder)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  await forgetOldBuilds(dist)
  return folder
}

/** Deletes builds beyond the newest four that were not started for a week, and aborted ones. */
export async function forgetOldBuilds(dist: string): Promise<void> {
  const aged = await Promise.all(
    (await readdir(dist)).map(async name => {
      // Deleted by another process.
      const found = await stat(join(dist, name)).catch(() => undefined)
      return { name, age: Date.now() - (found?.mtimeMs ?? Date.now()) }
    }),
  )
  const builds = aged.filter(({ name }) => /^[0-9a-f]{16}$/.test(name)).sort((a, b) => a.age - b.age)
  const old = builds.slice(MAX_BUILDS).filter(({ age }) => age > WEEK_MS)
  const cutOff = aged.filter(({ name, age }) => name.startsWith('.building-') && age > HOUR_MS)
  await Promise.all(
    [...old, ...cutOff].map(({ name }) => rm(join(dist, name), { recursive: true, force: true })),
  )
}

/** A hash of all inputs of the build. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  const sources = [
    'brand.ts',
    'vite.config.ts',
    'scripts/vite/*.ts',
    'package-lock.json',
    'assets/**/*',
    'src/**/*.{ts,tsx,css,svg}',
  ]
  const names: string[] = []
  for (const pattern of sources) for await (const name of glob(pattern, { cwd: root })) names.push(name)
  for (const name of names.sort()) {
    if (name.endsWith('.test.ts')) continue
    const bytes = await readFile(join(root, name)).catch(() => undefined)
    if (bytes) hash.update(name).update('\0').update(bytes)
  }
  return hash.digest('hex')
}

async function build(folder: string): Promise<void> {
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const quiet = { root, logLevel: 'warn' } as const
  await build({ ...quiet, build: { outDir: join(folder, 'client') } })
  await build({ ...quiet, build: { outDir: join(folder, 'server'), ssr: true } })
  await cp(join(root, 'assets'), join(folder, 'client/assets'), { recursive: true })
  await compressAll(join(folder, 'client'))
}

/** Compresses once, so that serving costs nothing. */
async function compressAll(folder: string): Promise<void> {
  for await (const name of glob('assets/*.{js,css,svg}', { cwd: folder })) {
    const bytes = await readFile(join(folder, name))
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes))
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
  }
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder) await build(folder)
  else console.log(await ensureBuilt(console.log))
}
