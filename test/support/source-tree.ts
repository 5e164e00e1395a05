import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Path from the root of the project → source. */
export type SourceTree = Record<string, string>
/** Returns violations of the rule, one line each. */
export type Rule = (tree: SourceTree) => string[]

const root = join(import.meta.dirname, '../..')
const patterns = ['brand.ts', 'src/**/*.{ts,tsx,css}', 'demo/*.ts', 'scripts/**/*.ts']
const names = globSync(patterns, { cwd: root }).filter(name => !name.endsWith('.test.ts'))
export const sourceTree: SourceTree = Object.fromEntries(
  names.map(name => [name, readFileSync(join(root, name), 'utf8')]),
)

const shared = JSON.parse(readFileSync(join(root, 'tsconfig.contract.json'), 'utf8')).include as string[]
/** Files shared by both sides: contracts and their parts. */
export const isContract = (name: string) => shared.some(pattern => posix.matchesGlob(name, pattern))
export const isWeb = (name: string) => /\/web\/|^src\/(ui|storefront)\//.test(name)
export const isServer = (name: string) => name.startsWith('src/') && !isWeb(name) && !isContract(name)
/** The feature of a file; `platform`, `shared`, `ui` and `storefront` are none. */
export const featureOf = (name: string) => /^src\/features\/([\w-]+)\//.exec(name)?.[1]

/** Import aliases of package.json: ['#cart/', 'src/features/cart/']. */
const aliases = Object.entries(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports as Record<string, string>,
).map(([name, path]) => [name.replace('*', ''), posix.normalize(path.replace('*', ''))] as const)

/** Every import of a file: paths of the project resolved, packages by name. */
function importsOf(name: string, source: string): string[] {
  const specifiers = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\s]+)['"]/g)
  return [...specifiers].map(([, specifier = '']) => {
    const alias = aliases.find(([name]) =>
      name.endsWith('/') ? specifier.startsWith(name) : specifier === name,
    )
    if (alias) return alias[1] + specifier.slice(alias[0].length)
    return specifier.startsWith('.') ? posix.join(posix.dirname(name), specifier) : specifier
  })
}

/** Imports of the files that `from` selects, without those that `allowed` accepts. */
export const imports =
  (from: (name: string) => boolean, allowed: (to: string, name: string) => boolean): Rule =>
  tree =>
    Object.entries(tree)
      .filter(([name]) => from(name))
      .flatMap(([name, source]) => importsOf(name, source).map(to => [name, to] as const))
      .filter(([name, to]) => !allowed(to, name))
      .map(([name, to]) => `${name} imports ${to}`)

/** Import cycles of files. Dynamic and type imports count too. */
export const fileCycles: Rule = tree => {
  const found: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: string[]) => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || tree[file] === undefined) return
    done.add(file)
    for (const next of importsOf(file, tree[file])) walk(next, [...path, file])
  }
  for (const file of Object.keys(tree)) walk(file, [])
  return found
}

/** Lines with a pattern, in the files that `from` selects. */
export const text =
  (from: (name: string) => boolean, pattern: RegExp): Rule =>
  tree =>
    Object.entries(tree)
      .filter(([name]) => from(name))
      .flatMap(([name, source]) => [...source.matchAll(pattern)].map(([found]) => `${name}: ${found}`))
