import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyRequest } from 'fastify'
import type { Brand } from '#brand'
import type { Letter } from '#letter'
import type { RawInput } from '../api/api.ts'

/** A rendered document, or a redirect without one. It is no `Response`, which would copy the text three times. */
export interface Rendered {
  status: number
  headers: Headers
  html: string
}
/** The interface of the built server entry. */
export interface Renderer {
  render(request: Request, needs: RenderNeeds): Promise<Rendered>
  /** The HTML of a letter. @param origin of its links */
  renderLetter(letter: Letter, origin: string, brand: Brand): string
}
/** What the renderer gets beside the request. */
export interface RenderNeeds {
  /** Makes an API call in this process: 'METHOD /api/path/:param'. */
  ask: (key: string, input?: RawInput) => Promise<unknown>
  /** The public origin, without a trailing slash. */
  origin: string
  /** Facts of the application for its pages. */
  shop: { brand: Brand }
  /** Links below every page. */
  links: PageLink[]
  assets: Assets
  /** Renders the error page of this refusal instead of the requested page. */
  refusal?: { status: number; message: string }
  /** Receives unexpected errors, for the log. */
  report: (error: unknown) => void
  /** Shown on error pages, to be found in the log. */
  requestId: string
  /** Receives the pattern of the page that is served: '/users/:id'. */
  matched: (pattern: string) => void
}
/** A link below every page. */
interface PageLink {
  path: string
  name: string
}
/** URLs of the scripts and styles that a document links. */
export interface Assets {
  /** The script that is loaded first: it decides when the others are loaded (deferred hydration). */
  starter: string
  /** The client entry and its imports, which are preloaded at the same time. */
  scripts: string[]
  styles: string[]
  /** Stylesheets that some pages need beside `styles`; the browser loads them with the scripts of such a page. */
  moreStyles: string[]
  /** Fonts that are preloaded. */
  fonts: string[]
}
declare module 'fastify' {
  interface FastifyInstance {
    pages: Pages
  }
}

/** The pages: their renderer and their browser files. */
export interface Pages {
  renderer: () => Promise<Renderer>
  assets: Assets
  /** Folder of the built browser files. */
  files?: string
  /** URLs of the files whose names contain a hash of their content: they may be cached for ever. */
  immutable?: Set<string>
  /** In development: serves the browser files from their sources. Pages are then not cached. */
  development?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
}

/** The pages as an application serves them. */
export interface ServedPages extends Pages {
  /** Facts for the pages that are the same for every user. For the page of a refused request it asks no database. */
  shop: (request: FastifyRequest, isRefused: boolean) => Promise<{ brand: Brand }>
  /** The brand without asking the database. */
  latestBrand: () => Brand
  /** An error page that needs no rendering. @param requestId shown with status 500, to be found in the log */
  errorPage: (status: number, requestId: string) => string
  /** Links below every page, the same for every user. */
  links: (request: FastifyRequest) => Promise<PageLink[]>
}

/** Returns the pages, for a server that does not listen yet. */
export type OpenPages = (server: Server) => Promise<Pages>

/** Loads the pages that `vite build` has written into a folder. @throws Error if they are incomplete */
export async function builtPages(dist: string): Promise<Pages> {
  const files = join(dist, 'client')
  const manifest = JSON.parse(await readFile(join(files, '.vite/manifest.json'), 'utf8')) as Manifest
  const renderer = (await import(pathToFileURL(join(dist, 'server/entry.server.js')).href)) as Renderer
  const immutable = new Set(Object.values(manifest).map(chunk => `/${chunk.file}`))
  return { renderer: async () => renderer, assets: assetsOf(manifest), files, immutable }
}

type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

/** The two scripts that documents link, by their names in the manifest of Vite. */
const STARTER = 'src/storefront/deferred-hydration.ts'
const ENTRY = 'src/storefront/entry.client.tsx'

function assetsOf(manifest: Manifest): Assets {
  const { [STARTER]: starter, [ENTRY]: entry } = manifest
  if (!starter || !entry) throw new Error('The built pages have no entry; run the build again')
  const files = Object.values(manifest).map(chunk => `/${chunk.file}`)
  const imports = (entry.imports ?? []).flatMap(key => manifest[key] ?? [])
  const styles = (entry.css ?? []).map(file => `/${file}`)
  return {
    starter: `/${starter.file}`,
    scripts: [entry, ...imports].map(chunk => `/${chunk.file}`),
    styles,
    moreStyles: files.filter(file => file.endsWith('.css') && !styles.includes(file)),
    fonts: files.filter(file => file.endsWith('.woff2')),
  }
}
