import { glob, mkdir, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { forgetOldBuilds } from '../../scripts/build.ts'
import { fontOf, LANDING, scriptsOf, stylesOf } from '../support/bundle-sizes.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR

let dist: string
beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'dist-'))
})
afterEach(() => rm(dist, { recursive: true }))

/** A build folder, last used so many seconds ago. */
async function folder(name: string, age: number): Promise<void> {
  await mkdir(join(dist, name))
  const then = Date.now() / 1000 - age
  await utimes(join(dist, name), then, then)
}
const build = (digit: number, age: number) => folder(String(digit).repeat(16), age)

test('a build used within a week stays, however many are newer', async () => {
  for (let digit = 1; digit <= 7; digit++) await build(digit, digit * HOUR)
  await forgetOldBuilds(dist)
  expect(await readdir(dist)).toHaveLength(7)
})

test('of older builds the newest four stay', async () => {
  for (let digit = 1; digit <= 6; digit++) await build(digit, (7 + digit) * DAY)
  await forgetOldBuilds(dist)
  expect((await readdir(dist)).map(name => name[0]).sort()).toEqual(['1', '2', '3', '4'])
})

test('an aborted build is deleted after an hour; other files stay', async () => {
  await folder('.building-old', 2 * HOUR)
  await folder('.building-now', HOUR / 2)
  await folder('notes', 30 * DAY)
  await forgetOldBuilds(dist)
  expect((await readdir(dist)).sort()).toEqual(['.building-now', 'notes'])
})

test('the first load is small', async () => {
  const built = inject('built')
  expect(await scriptsOf(built, LANDING)).toBeLessThan(115)
  // Of all pages together.
  expect(await stylesOf(built)).toBeLessThan(20)
  // Ten packets of 1,460 bytes, less the headers: the initial congestion window.
  expect(await fontOf(built)).toBeLessThan(13.8)
})

test('only pages that few people open first need the second stylesheet', async () => {
  const file = join(inject('built'), 'client/.vite/manifest.json')
  const manifest: Record<string, { css?: string[] }> = JSON.parse(await readFile(file, 'utf8'))
  const needing = Object.entries(manifest).filter(([, { css }]) => css?.some(name => /\/more-/.test(name)))
  expect(needing.map(([name]) => name).sort()).toEqual(
    ['order', 'selling', 'settings'].map(name => `src/storefront/${name}-pages.ts`),
  )
})

test('the server renders with React’s production build in any environment', async () => {
  const folder = join(inject('built'), 'server')
  const scripts = await Array.fromAsync(glob('**/*.js', { cwd: folder }))
  expect(scripts.length).toBeGreaterThan(1)
  for (const script of scripts)
    expect(await readFile(join(folder, script), 'utf8'), script).not.toMatch(
      /process\.env\.NODE_ENV|development\.js/,
    )
})
