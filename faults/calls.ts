import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Call, Calls } from '#contract'

const root = join(import.meta.dirname, '..')

/** Every call of the API, as the slices' contracts have it. */
export async function allCalls(): Promise<Record<string, Call>> {
  const contracts = globSync('src/*/contract.ts', { cwd: root }).sort()
  const modules = await Promise.all(contracts.map(name => import(pathToFileURL(join(root, name)).href)))
  return Object.assign({}, ...modules.map(({ calls }: { calls?: Calls }) => calls))
}
