import { sql } from 'kysely'
import type { Id } from '#contract'
import { type Actor, record } from '#operators/log.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import {
  type EditedPage,
  type PageRow,
  type PublicPage,
  SAVED_MEANWHILE,
  SLUGS,
  type Slug,
  TITLES,
  UNKNOWN_PAGE,
} from './contract.ts'
import { drafts } from './drafts.ts'
import { blanksOf, stepsOf } from './markdown.ts'

/** Most versions that the history shows. */
const MAX_SHOWN = 100

const newest = sql<Id | null>`(select max(id) from page_versions as v where v.slug = p.slug)`

/** Published pages, in the order of the footer. */
export async function published(db: Database): Promise<{ slug: Slug; title: string }[]> {
  const rows = await db
    .selectFrom('pages')
    .select('slug')
    .where('published_version', 'is not', null)
    .execute()
  const slugs = rows.map(({ slug }) => slug)
  return SLUGS.filter(slug => slugs.includes(slug)).map(slug => ({ slug, title: TITLES[slug] }))
}

/** A published page. @throws Problem 404 if it is not published */
export async function read(db: Database, slug: Slug): Promise<PublicPage> {
  const row = await db
    .selectFrom('pages as p')
    .innerJoin('page_versions as v', 'v.id', 'p.published_version')
    .select(['v.text', 'p.published_at'])
    .where('p.slug', '=', slug)
    .executeTakeFirst()
  if (!row?.published_at) throw new Problem(404, UNKNOWN_PAGE)
  return {
    slug,
    title: TITLES[slug],
    content: stepsOf(row.text),
    published_at: row.published_at.toISOString(),
  }
}

/** All pages, for operators. */
export async function list(db: Database): Promise<PageRow[]> {
  const rows = await db
    .selectFrom('pages as p')
    .select(['p.slug', 'p.published_at', 'p.published_version', 'p.agreed_at_signup', newest.as('newest')])
    .execute()
  return SLUGS.map(slug => {
    const row = rows.find(row => row.slug === slug)
    return {
      slug,
      title: TITLES[slug],
      published_at: row?.published_at?.toISOString() ?? null,
      has_draft: !row || row.newest !== row.published_version,
      agreed_at_signup: row?.agreed_at_signup ?? false,
    }
  })
}

/**
 * A page in the editor.
 * @param version the one whose text is shown. Undefined for the newest
 * @throws Problem 404 for a version of none or another page
 */
export async function edited(db: Database, slug: Slug, version: Id | undefined): Promise<EditedPage> {
  const page = await db
    .selectFrom('pages')
    .select(['published_version', 'published_at', 'agreed_at_signup'])
    .where('slug', '=', slug)
    .executeTakeFirst()
  const rows = await db
    .selectFrom('page_versions as v')
    .leftJoin('users as u', 'u.id', 'v.author_id')
    .select(['v.id', 'v.created_at', 'u.first_name', 'u.last_name'])
    .where('v.slug', '=', slug)
    .orderBy('v.id', 'desc')
    .limit(MAX_SHOWN)
    .execute()
  const base = rows[0]?.id ?? null
  const shown = version ?? base
  const text = shown === null ? drafts[slug] : await textOf(db, slug, shown)
  return {
    slug,
    title: TITLES[slug],
    published_at: page?.published_at?.toISOString() ?? null,
    published_version: page?.published_version ?? null,
    has_draft: base === null || base !== page?.published_version,
    agreed_at_signup: page?.agreed_at_signup ?? false,
    text,
    base,
    shown,
    blanks: blanksOf(text),
    versions: rows.map(({ first_name, last_name, created_at, id }) => ({
      id,
      created_at: created_at.toISOString(),
      author: first_name === null ? null : `${first_name} ${last_name}`,
    })),
  }
}

async function textOf(db: Database, slug: Slug, id: Id): Promise<string> {
  const row = await db
    .selectFrom('page_versions')
    .select('text')
    .where('slug', '=', slug)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Problem(404, 'There is no such version')
  return row.text
}

/** Locks the row of a page, so that changes of it run one after the other. */
export async function lock(db: Database, slug: Slug): Promise<{ published_version: Id | null }> {
  await db
    .insertInto('pages')
    .values({ slug })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return db
    .selectFrom('pages')
    .select('published_version')
    .where('slug', '=', slug)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/**
 * Saves a draft: a new version, unless the newest one has the same text.
 * @param base id of the newest version that the author has read, null before the first one
 * @returns id of the version with this text
 * @throws Problem 409 if there is a newer one
 */
export function save(
  db: Database,
  author: Actor,
  slug: Slug,
  { text, base }: { text: string; base: Id | null },
): Promise<{ id: Id }> {
  return transaction(db, async db => {
    await lock(db, slug)
    const last = await db
      .selectFrom('page_versions')
      .select(['id', 'text', 'author_id'])
      .where('slug', '=', slug)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    // Nothing was changed, or a retry after a lost response sends the author's own text again.
    if (last?.text === text && (last.id === base || last.author_id === author)) return { id: last.id }
    if ((last?.id ?? null) !== base) throw new Problem(409, SAVED_MEANWHILE)
    return db
      .insertInto('page_versions')
      .values({ slug, text, author_id: author })
      .returning('id')
      .executeTakeFirstOrThrow()
  })
}

/** Publishes a version, with an entry in the log. @throws Problem 404 unknown, 409 while it has blanks to fill in */
export async function publish(
  db: Database,
  operator: Actor,
  slug: Slug,
  { version, reason: why }: { version: Id; reason: string },
): Promise<void> {
  await transaction(db, async db => {
    const { published_version } = await lock(db, slug)
    // Published already: a retry after a lost response.
    if (published_version === version) return
    const [blank] = blanksOf(await textOf(db, slug, version))
    if (blank) throw new Problem(409, `Please fill in what is in brackets first: ${blank}`)
    await db
      .updateTable('pages')
      .set({ published_version: version, published_at: sql<Date>`now()` })
      .where('slug', '=', slug)
      .execute()
    const reason = `${TITLES[slug]}, version ${version}: ${why}`
    await record(db, operator, { action: 'page-published', reason })
  })
}

/** Takes a page back, with an entry in the log. Its versions stay. @throws Problem 409 if it is not published */
export async function unpublish(db: Database, operator: Id, slug: Slug, why: string): Promise<void> {
  await transaction(db, async db => {
    const { published_version: version } = await lock(db, slug)
    if (version === null) throw new Problem(409, 'This page is not published')
    await db
      .updateTable('pages')
      .set({ published_version: null, published_at: null })
      .where('slug', '=', slug)
      .execute()
    const reason = `${TITLES[slug]}, version ${version}: ${why}`
    await record(db, operator, { action: 'page-taken-back', reason })
  })
}
