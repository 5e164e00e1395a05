import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Path from the root of the project → source. */
export type House = Record<string, string>
/** Answers what breaks the wall, one line each. */
export type Wall = (house: House) => string[]

const root = join(import.meta.dirname, '..')
const patterns = ['brand.ts', 'src/**/*.{ts,tsx,css}', 'demo/*.ts', 'scripts/*.ts']
const names = globSync(patterns, { cwd: root }).filter(name => !name.endsWith('.test.ts'))
export const house: House = Object.fromEntries(
  names.map(name => [name, readFileSync(join(root, name), 'utf8')]),
)

const shared = JSON.parse(readFileSync(join(root, 'tsconfig.contract.json'), 'utf8')).include as string[]
/** What both sides share: contracts, and what contracts are made of. */
export const isContract = (name: string) => shared.some(pattern => posix.matchesGlob(name, pattern))
export const isWeb = (name: string) => name.includes('/web/')
export const isServer = (name: string) => name.startsWith('src/') && !isWeb(name) && !isContract(name)
/** The slice a file belongs to; the ground floors `server` and `web` are none. */
export const sliceOf = (name: string) => /^src\/(?!server\/|web\/)(\w+)\//.exec(name)?.[1]

/** Every import of a file: paths of the project resolved, packages as they are named. */
function importsOf(name: string, source: string): string[] {
  const specifiers = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)
  return [...specifiers].map(([, specifier = '']) => {
    if (specifier === '#brand') return 'brand.ts'
    if (specifier.startsWith('#')) return `src/${specifier.slice(1)}${specifier.includes('/') ? '' : '.ts'}`
    return specifier.startsWith('.') ? posix.join(posix.dirname(name), specifier) : specifier
  })
}

/** Imports of the files that `from` picks which `allowed` does not allow. */
export const imports =
  (from: (name: string) => boolean, allowed: (to: string, name: string) => boolean): Wall =>
  house =>
    Object.entries(house)
      .filter(([name]) => from(name))
      .flatMap(([name, source]) => importsOf(name, source).map(to => [name, to] as const))
      .filter(([name, to]) => !allowed(to, name))
      .map(([name, to]) => `${name} imports ${to}`)

/** Slices that import one another in a circle, among the files that `part` picks. */
export const cycles =
  (part: (name: string) => boolean): Wall =>
  house => {
    const edges = new Map<string, Set<string>>()
    for (const [name, source] of Object.entries(house)) {
      const [from, targets] = [sliceOf(name), part(name) ? importsOf(name, source).filter(part) : []]
      if (from)
        edges.set(from, new Set([...(edges.get(from) ?? []), ...targets.flatMap(to => sliceOf(to) ?? [])]))
    }
    const walk = (slice: string, way: string[]): string[] =>
      way.includes(slice)
        ? [[...way.slice(way.indexOf(slice)), slice].join(' → ')]
        : [...(edges.get(slice) ?? [])]
            .filter(next => next !== slice)
            .flatMap(next => walk(next, [...way, slice]))
    return [...edges.keys()].flatMap(slice => walk(slice, []))
  }

/** Lines in which a pattern occurs, in the files that `from` picks. */
export const text =
  (from: (name: string) => boolean, pattern: RegExp): Wall =>
  house =>
    Object.entries(house)
      .filter(([name]) => from(name))
      .flatMap(([name, source]) => [...source.matchAll(pattern)].map(([found]) => `${name}: ${found}`))
