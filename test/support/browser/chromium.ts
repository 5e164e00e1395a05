import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const flags = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A process per site, not per page: a tenth less CPU time.
  '--process-per-site',
]
/** The machine's own, if the npm package does not run. */
const installed = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
]
const isPackaged = process.platform === 'linux' && process.arch === 'x64'

/**
 * Starts Chromium: CHROMIUM_PATH, or the one of an npm package with its fonts, so that pages have the same size on
 * every machine. Optional extra flags.
 */
export async function launchChromium(...more: string[]): Promise<Browser> {
  const args = [...flags, ...more]
  const own = process.env.CHROMIUM_PATH ?? (isPackaged ? undefined : installed.find(path => existsSync(path)))
  if (own) return chromium.launch({ executablePath: own, args })
  const folder = await unpacked()
  const env = {
    ...(process.env as Record<string, string>),
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  }
  return chromium.launch({ executablePath: join(folder, 'chromium'), args, env })
}

const fontsIn = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <cachedir>${folder}/cache</cachedir>
</fontconfig>
`

/** Folder with the packaged browser and libraries that a minimal system lacks. Unpacked once for all runs. */
async function unpacked(): Promise<string> {
  const modules = join(import.meta.dirname, '../../../node_modules')
  const { version } = JSON.parse(await readFile(join(modules, '@sparticuz/chromium/package.json'), 'utf8'))
  const folder = join(modules, '.cache', `browser-${version}`)
  if (existsSync(folder)) return folder
  await mkdir(join(modules, '.cache'), { recursive: true })
  // Concurrent test files unpack into temporary folders, and the first to finish is used.
  const own = await mkdtemp(`${folder}-`)
  const { TMPDIR } = process.env
  process.env.TMPDIR = own
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x'
  await (await import('@sparticuz/chromium')).default.executablePath()
  // Its own font configuration names missing folders; without any font the browser crashes.
  await writeFile(join(own, 'fonts/fonts.conf'), fontsIn(join(folder, 'fonts/fonts')))
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  await rename(own, folder).catch(() => rm(own, { recursive: true }))
  return folder
}
