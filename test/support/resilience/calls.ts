import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Call, Calls } from '#contract'

const root = join(import.meta.dirname, '../../..')

/** Every call of the API by its contract. */
export async function allCalls(): Promise<Record<string, Call>> {
  const contracts = globSync('src/features/*/contract.ts', { cwd: root }).sort()
  const modules = await Promise.all(contracts.map(name => import(pathToFileURL(join(root, name)).href)))
  return Object.assign({}, ...modules.map(({ calls }: { calls?: Calls }) => calls))
}

/** A parameter in docs/api.json. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: { enum?: string[]; const?: string; pattern?: string; maxLength?: number }
}

/** 'METHOD /api/path/:param' → its documented parameters. */
export async function documentedParameters(): Promise<Record<string, Parameter[]>> {
  const { paths } = JSON.parse(await readFile(join(root, 'docs/api.json'), 'utf8')) as {
    paths: Record<string, Record<string, { parameters: Parameter[] }>>
  }
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { parameters }]) => [
        `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
        parameters,
      ]),
    ),
  )
}

/** Finds the call of an address; undefined if none. Literal segments come before parameters. */
export function finderOf(calls: Record<string, Call>): (method: string, url: string) => string | undefined {
  const partsOf = (path: string) => path.replace(/\/$/, '').split('/')
  const parameters = (key: string) => key.split(':').length
  const known = Object.keys(calls)
    .sort((a, b) => parameters(a) - parameters(b))
    .map(key => {
      const [verb = '', path = ''] = key.split(' ')
      return { key, verb, parts: partsOf(path) }
    })
  return (method, url) => {
    const path = partsOf(url.replace(/[?#].*$/s, ''))
    const found = known.find(
      ({ verb, parts }) =>
        verb === method &&
        parts.length === path.length &&
        parts.every((part, at) => part === path[at] || (part.startsWith(':') && path[at] !== '')),
    )
    return found?.key
  }
}

/**
 * Whether a passkey signs the body of a call, or chooses its owner, or a letter has the token of the body or the signature of
 * the path: then no field can hold any text.
 */
export const isSigned = (key: string): boolean =>
  /login\/passkey$|passkeys(\/challenge|\/:id\/remove)?$|(confirm-email|reset-password(\/check)?|api\/setup)$|letters\/off\//.test(
    key,
  )

/** The call that deletes the account of its user. */
export const DELETION = 'POST /api/account/deletion'
