import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'

/** Validation of feeds by the rules of the two formats. */

// biome-ignore lint/suspicious/noExplicitAny: a document that may be anything
type Node = Record<string, any>

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (_name, _path, _leaf, isAttribute) => !isAttribute,
})

/** RFC 3339, as both formats demand; `\d\d:\d\d` after a sign is an offset from UTC. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const isMoment = (text: string) => MOMENT.test(text) && !Number.isNaN(Date.parse(text))

/** The text of an element, which is an object if it has attributes. */
const textOf = (node: unknown): string =>
  typeof node === 'string' ? node : String((node as Node | undefined)?.['#text'] ?? '')

const repeated = (ids: string[]) => ids.filter((id, index) => ids.indexOf(id) !== index)

/** Violations of Atom's rules. @see https://www.rfc-editor.org/rfc/rfc4287#section-4 */
export function faultsOfAtom(xml: string): string[] {
  const [feed]: Node[] = parser.parse(xml).feed ?? []
  if (feed?.['@_xmlns'] !== 'http://www.w3.org/2005/Atom') return ['there is no feed of Atom']
  const entries: Node[] = feed.entry ?? []
  const faults = [...faultsOfPart('feed', feed)]
  for (const [index, entry] of entries.entries()) {
    const name = `entry ${index}`
    faults.push(...faultsOfPart(name, entry))
    if (!entry.author && !feed.author) faults.push(`${name} has no author`)
    if (!entry.content && alternates(entry).length === 0)
      faults.push(`${name} has neither content nor an alternate link`)
    for (const { '@_type': type = 'text' } of entry.content ?? [])
      if (!['text', 'html', 'xhtml'].includes(type)) faults.push(`${name} has content of type ${type}`)
  }
  const ids = entries.map(({ id }) => textOf(id?.[0]))
  return [...faults, ...repeated(ids).map(id => `${id} is two entries`)]
}

const alternates = (node: Node): Node[] =>
  (node.link ?? []).filter((link: Node) => (link['@_rel'] ?? 'alternate') === 'alternate')

/** Rules for both feed and entry. */
function faultsOfPart(name: string, node: Node): string[] {
  const faults: string[] = []
  for (const must of ['id', 'title', 'updated'])
    if (node[must]?.length !== 1 || textOf(node[must][0]) === '') faults.push(`${name} has no ${must}`)
  const [id] = node.id ?? []
  if (id !== undefined && !URL.canParse(textOf(id))) faults.push(`${name} has an id that is no IRI`)
  for (const moment of [...(node.updated ?? []), ...(node.published ?? [])])
    if (!isMoment(textOf(moment))) faults.push(`${name} has a date that is none: ${textOf(moment)}`)
  if (node.published?.length > 1) faults.push(`${name} was published twice`)
  for (const link of node.link ?? [])
    if (!URL.canParse(link['@_href'] ?? '')) faults.push(`${name} has a link to nowhere`)
  const kinds = alternates(node).map(link => `${link['@_type']} ${link['@_hreflang']}`)
  if (repeated(kinds).length > 0) faults.push(`${name} has two alternate links of one kind`)
  for (const author of node.author ?? [])
    if (author.name?.length !== 1 || !textOf(author.name[0])) faults.push(`${name} has a nameless author`)
  for (const category of node.category ?? [])
    if (!category['@_term']) faults.push(`${name} has a category without a term`)
  return faults
}

const Address = z.url()
const Moment = z.string().refine(isMoment, 'is no moment')
const Authors = z
  .array(
    z
      .object({ name: z.string().optional(), url: Address.optional(), avatar: Address.optional() })
      .refine(author => Object.values(author).some(Boolean), 'has nothing of an author'),
  )
  .optional()
const Item = z
  .object({
    id: z.string().min(1),
    url: Address.optional(),
    title: z.string().optional(),
    content_html: z.string().optional(),
    content_text: z.string().optional(),
    image: Address.optional(),
    date_published: Moment.optional(),
    date_modified: Moment.optional(),
    authors: Authors,
    tags: z.array(z.string()).optional(),
  })
  .refine(item => item.content_html ?? item.content_text, 'has no content')
const JsonFeed = z.object({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string().min(1),
  home_page_url: Address.optional(),
  feed_url: Address.optional(),
  next_url: Address.optional(),
  description: z.string().optional(),
  icon: Address.optional(),
  favicon: Address.optional(),
  language: z.string().optional(),
  authors: Authors,
  items: z
    .array(Item)
    .refine(items => repeated(items.map(({ id }) => id)).length === 0, 'has one id for two items'),
})

/** Violations of JSON Feed 1.1. @see https://www.jsonfeed.org/version/1.1/ */
export function faultsOfJson(feed: unknown): string[] {
  const { error } = JsonFeed.safeParse(feed)
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}
