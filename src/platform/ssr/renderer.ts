import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RawInput } from '../api/api.ts'

/** A document, or a redirect without one. No `Response`: that would copy a large text three times on its way. */
export interface Rendered {
  status: number
  headers: Headers
  html: string
}
/** The built renderer, as far as the server knows it: a request in, a document out. */
export interface Renderer {
  render(request: Request, needs: RenderNeeds): Promise<Rendered>
}
export interface RenderNeeds {
  ask: (key: string, input?: RawInput) => Promise<unknown>
  /** Under which people reach the shop, without a slash at its end. */
  address: string
  shop: { demo: boolean }
  assets: Assets
  /** Render the page of this refusal instead of the page that was asked for. */
  refusal?: { status: number; message: string }
  /** Told of errors that nobody expected. */
  report: (error: unknown) => void
  /** By which a failure is found in the log. */
  requestId: string
  /** Receives the pattern of the page that answers: '/users/:id'. */
  matched: (pattern: string) => void
}
/** Addresses of the scripts and styles that a document links. */
export interface Assets {
  /** Loaded with the page: it decides when the others come. */
  begin: string
  /** The script that takes over the page, then what it imports: fetched at the same time instead of after it. */
  scripts: string[]
  styles: string[]
  /** Typefaces that every page needs. */
  fonts: string[]
}
export interface Pages {
  renderer: () => Promise<Renderer>
  assets: Assets
  /** Folder of the built browser files. */
  files?: string
  /** Addresses of those that never change, because their names hold a hash of what is in them. */
  lasting?: Set<string>
  /** In development: serves the browser's files from their sources. Nothing is kept then. */
  development?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
}

/** Gives the pages of a server that does not listen yet. */
export type PagesOf = (server: Server) => Promise<Pages>

/** The pages as `vite build` left them in a folder. */
export async function builtPages(dist: string): Promise<Pages> {
  const files = join(dist, 'client')
  const manifest = JSON.parse(await readFile(join(files, '.vite/manifest.json'), 'utf8')) as Manifest
  const renderer = (await import(pathToFileURL(join(dist, 'server/entry.server.js')).href)) as Renderer
  const lasting = new Set(Object.values(manifest).map(chunk => `/${chunk.file}`))
  return { renderer: async () => renderer, assets: assetsOf(manifest), files, lasting }
}

type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

/** The two scripts that documents name, as the manifest knows them. */
const BEGIN = 'src/storefront/deferred-hydration.ts'
const ENTRY = 'src/storefront/entry.client.tsx'

function assetsOf(manifest: Manifest): Assets {
  const { [BEGIN]: begin, [ENTRY]: entry } = manifest
  if (!begin || !entry) throw new Error('The built pages have no entry; run the build again')
  const files = Object.values(manifest).map(chunk => `/${chunk.file}`)
  const imports = (entry.imports ?? []).flatMap(key => manifest[key] ?? [])
  return {
    begin: `/${begin.file}`,
    scripts: [entry, ...imports].map(chunk => `/${chunk.file}`),
    styles: files.filter(file => file.endsWith('.css')),
    fonts: files.filter(file => file.endsWith('.woff2')),
  }
}
