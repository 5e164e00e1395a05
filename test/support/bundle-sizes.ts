/** How much of a build a browser loads. Kilobytes are 1000 bytes, compressed by gzip -9. */
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** The modules that the landing page starts with. */
export const LANDING = [
  'src/storefront/deferred-hydration.ts',
  'src/storefront/entry.client.tsx',
  'src/storefront/pages/landing.route.ts',
  'src/storefront/pages/LandingPage.tsx',
]

/** The scripts of a page: these modules with their static imports. */
export async function scriptsOf(build: string, modules: string[]): Promise<number> {
  const client = join(build, 'client')
  return compressed((await scriptFilesOf(build, modules)).map(file => join(client, file)))
}

/** Their files, as `assets/entry.client-1a2b3c.js`. */
export async function scriptFilesOf(build: string, modules: string[]): Promise<string[]> {
  const client = join(build, 'client')
  const manifest = JSON.parse(await readFile(join(client, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string; imports?: string[] }
  >
  const files = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    // A module in a shared chunk is not listed: the entry imports the chunk.
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const name of modules) visit(name)
  return [...files]
}

/** All styles together. */
export const stylesOf = async (build: string): Promise<number> => compressed(await filesOf(build, 'css'))

/** The font, which is compressed already. */
export const fontOf = async (build: string): Promise<number> => {
  const fonts = await Promise.all((await filesOf(build, 'woff2')).map(file => readFile(file)))
  return fonts.reduce((bytes, font) => bytes + font.length, 0) / 1000
}

async function filesOf(build: string, extension: string): Promise<string[]> {
  const assets = join(build, 'client/assets')
  return (await Array.fromAsync(glob(`*.${extension}`, { cwd: assets }))).map(name => join(assets, name))
}

async function compressed(files: string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async file => gzipSync(await readFile(file), { level: 9 }).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}
