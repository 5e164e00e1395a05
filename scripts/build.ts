/** Builds the pages for browser and server into dist/. `node scripts/build.ts` builds always. */
import { createHash } from 'node:crypto'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'dist/built-from')

/** Builds unless dist/ was built from exactly these sources. */
export async function buildIfStale(log: (line: string) => void): Promise<void> {
  const now = await fingerprint()
  const before = await readFile(stamp, 'utf8').catch(() => '')
  if (now === before) return
  log('Building the pages…')
  await build()
  await writeFile(stamp, now)
}

/** A hash over everything that goes into the build. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  const sources = [
    'brand.ts',
    'vite.config.ts',
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

async function build(): Promise<void> {
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const quiet = { root, logLevel: 'warn' } as const
  await build(quiet)
  await build({ ...quiet, build: { ssr: true } })
  await mkdir(join(root, 'dist/client/assets'), { recursive: true })
  for await (const name of glob('assets/*', { cwd: root })) {
    await writeFile(join(root, 'dist/client', name), await readFile(join(root, name)))
  }
  await compressAll()
}

/** Compressed once here, so that serving costs nothing. */
async function compressAll(): Promise<void> {
  const folder = join(root, 'dist/client')
  for await (const name of glob('assets/*.{js,css,svg}', { cwd: folder })) {
    const bytes = await readFile(join(folder, name))
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes))
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
  }
}

if (import.meta.main) {
  await build()
  await writeFile(stamp, await fingerprint())
}
