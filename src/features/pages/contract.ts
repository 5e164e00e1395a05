import * as z from 'zod/mini'
import { Done, defineCalls, Id, IdInQuery, Moment, text } from '#contract'
import { Because, Reason } from '#operators/contract.ts'

/** The pages about the shop: part of the address → title. */
export const TITLES = {
  about: 'About us',
  contact: 'Contact',
  'delivery-and-returns': 'Delivery and returns',
  privacy: 'Privacy',
  terms: 'Terms',
  imprint: 'Imprint',
} as const
export type Slug = keyof typeof TITLES
/** Slugs of the pages about the shop: parts of their addresses. */
export const SLUGS = Object.keys(TITLES) as [Slug, ...Slug[]]
/** Whether a part of an address is one of these slugs. */
export const isSlug = (name: string | undefined): name is Slug =>
  name !== undefined && Object.hasOwn(TITLES, name)

/** Longest text of a page, characters. */
export const TEXT_LENGTH = 50_000
/** Largest body with such a text, bytes: a character may need six. */
const TEXT_BYTES = 320_000

/** Elements that a text may have. The title of a page is its only h1. */
const Tag = z.enum([
  ...['h2', 'h3', 'h4', 'p', 'ul', 'ol', 'li', 'blockquote', 'pre', 'hr', 'br'],
  ...['em', 'strong', 'code', 'a'],
] as const)
export type Tag = z.infer<typeof Tag>

/** A step through a text: an element begins or ends, or there are words. No step can hold HTML. */
export const Step = z.object({
  kind: z.enum(['begin', 'end', 'words']),
  tag: z.optional(Tag),
  /** Of a link: its address. */
  href: z.optional(z.string()),
  /** Of an ordered list: its first number, unless it is 1. */
  start: z.optional(z.int()),
  words: z.optional(z.string()),
})
export type Step = z.infer<typeof Step>

/** A published page. */
export const PublicPage = z.object({
  slug: z.enum(SLUGS),
  title: z.string(),
  content: z.array(Step),
  /** When this version was published. */
  published_at: Moment,
})
export type PublicPage = z.infer<typeof PublicPage>

/** A page among those of the operators. */
export const PageRow = z.object({
  slug: z.enum(SLUGS),
  title: z.string(),
  /** Null if it is not published. */
  published_at: z.nullable(Moment),
  /** Whether the newest version is not the published one. */
  has_draft: z.boolean(),
  /** Whether new members agree to it while it is published. */
  agreed_at_signup: z.boolean(),
})
export type PageRow = z.infer<typeof PageRow>

/** A version in the history. */
const Version = z.object({
  id: Id,
  created_at: Moment,
  /** Null if their account is deleted. */
  author: z.nullable(z.string()),
})

/** A page in the editor. */
export const EditedPage = z.object({
  ...PageRow.shape,
  /** Markdown of the newest version, or of the one that was asked for; before the first one, of our draft. */
  text: z.string(),
  /** Id of the newest version, null before the first one. It is sent back with the next one. */
  base: z.nullable(Id),
  /** Id of the version whose text this is. Null for our draft. */
  shown: z.nullable(Id),
  published_version: z.nullable(Id),
  /** Blanks that are left to fill in. */
  blanks: z.array(z.string()),
  /** Newest first, at most 100. */
  versions: z.array(Version),
})
export type EditedPage = z.infer<typeof EditedPage>

/** A version that a user has agreed to. */
export const Agreement = z.object({
  slug: z.enum(SLUGS),
  title: z.string(),
  version: Id,
  agreed_at: Moment,
})
export type Agreement = z.infer<typeof Agreement>

const PageText = text('Text', {
  required: 'Please write something',
  max: [TEXT_LENGTH, `Text cannot be more than ${TEXT_LENGTH} characters`],
})
/** Refusal of a version that is not based on the newest. */
export const SAVED_MEANWHILE =
  'Somebody else has saved this page meanwhile. Your text is still here: compare it with the newest version, then save again'
const unknown = 'There is no such page'
const one = z.object({ slug: z.enum(SLUGS, unknown) })
export const UNKNOWN_PAGE = unknown
const NO_VERSION = 'Version must be the id of a version'

export const calls = defineCalls({
  'GET /api/pages/': {
    summary: 'Published pages about the shop',
    visibility: 'public',
    response: z.object({ pages: z.array(z.object({ slug: z.enum(SLUGS), title: z.string() })) }),
  },
  'GET /api/pages/:slug': {
    summary: 'A published page about the shop',
    visibility: 'public',
    params: one,
    response: PublicPage,
  },
  'GET /api/account/agreements': {
    summary: 'The pages that one has agreed to, newest first',
    response: z.object({ agreements: z.array(Agreement) }),
  },
  'GET /api/operate/pages': {
    summary: 'For operators: the pages about the shop',
    response: z.object({ pages: z.array(PageRow) }),
  },
  'GET /api/operate/pages/:slug': {
    summary: 'For operators: a page with its history; the text of the newest version, or of another',
    params: one,
    query: z.object({ version: z.optional(IdInQuery) }),
    response: EditedPage,
  },
  'POST /api/operate/pages/preview': {
    summary: 'For operators: what a text looks like',
    maxBytes: TEXT_BYTES,
    cost: 3,
    body: z.object({ text: PageText }),
    response: z.object({ content: z.array(Step), blanks: z.array(z.string()) }),
  },
  'POST /api/operate/pages/:slug/versions': {
    summary: 'For operators: save a draft. 409 if somebody else has saved one meanwhile',
    maxBytes: TEXT_BYTES,
    params: one,
    body: z.object({ text: PageText, base: z.nullable(z.int(NO_VERSION)) }),
    response: z.object({ id: Id }),
    status: 201,
  },
  'POST /api/operate/pages/:slug/publish': {
    summary: 'For operators: publish a version. 409 while it has blanks to fill in',
    params: one,
    body: z.object({ version: z.int(NO_VERSION), reason: Reason }),
    response: Done,
  },
  'POST /api/operate/pages/:slug/take-back': {
    summary: 'For operators: nobody reads the page any more; its versions stay',
    params: one,
    body: Because,
    response: Done,
  },
  'PUT /api/operate/pages/:slug/agreement': {
    summary: 'For operators: whether new members agree to a page, while it is published',
    params: one,
    body: z.object({ agreed_at_signup: z.boolean('Agreed at signup must be true or false'), reason: Reason }),
    response: Done,
  },
})
