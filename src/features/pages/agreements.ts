import { agreedWords } from '#accounts/agreement-text.ts'
import type { PageToAgree } from '#accounts/contract.ts'
import type { Id } from '#contract'
import { record } from '#operators/log.ts'
import { type Database, transaction } from '#platform/database/database.ts'
import { Problem } from '#problem'
import { type Agreement, isSlug, type Slug, TITLES } from './contract.ts'
import { lock } from './pages.ts'

// What new members agree to: published pages of the operators' choice.

/** How the pages are called in "I agree to …". */
const NAMES: Record<Slug, string> = {
  terms: 'the Terms',
  privacy: 'the Privacy notice',
  'delivery-and-returns': 'Delivery and returns',
  about: 'the page “About us”',
  contact: 'the page “Contact”',
  imprint: 'the Imprint',
}
/** Terms come first. */
const ORDER = Object.keys(NAMES)

const published = (db: Database) =>
  db
    .selectFrom('pages')
    .select(['slug', 'published_version'])
    .where('agreed_at_signup', '=', true)
    .where('published_version', 'is not', null)

/** The pages that new members agree to, with their published versions. */
export async function pagesToAgree(db: Database): Promise<PageToAgree[]> {
  return named(await published(db).execute())
}

const named = (rows: { slug: string; published_version: Id | null }[]): PageToAgree[] =>
  rows
    .flatMap(({ slug, published_version: version }) =>
      isSlug(slug) && version !== null ? [{ version, path: `/${slug}`, name: NAMES[slug] }] : [],
    )
    .sort((a, b) => ORDER.indexOf(a.path.slice(1)) - ORDER.indexOf(b.path.slice(1)))

/**
 * Stores that a new member agrees. Call it in the transaction that makes the account: publishing another version waits
 * until it ends.
 * @param versions those that the form showed
 * @throws Problem 400 if a published version is not among them
 */
export async function agree(db: Database, userId: Id, versions: Id[]): Promise<void> {
  const pages = named(await published(db).orderBy('slug').forShare().execute())
  const missing = pages.filter(({ version }) => !versions.includes(version))
  if (missing.length > 0) {
    const message = agreedWords(missing, versions.length > 0)
    throw new Problem(400, message, { fields: { agreed: message } })
  }
  if (pages.length === 0) return
  await db
    .insertInto('agreements')
    .values(pages.map(({ version }) => ({ user_id: userId, version_id: version })))
    .execute()
}

/** The versions that a user has agreed to, newest first, with their texts. */
export async function agreedBy(db: Database, userId: Id): Promise<(Agreement & { text: string })[]> {
  const rows = await db
    .selectFrom('agreements as a')
    .innerJoin('page_versions as v', 'v.id', 'a.version_id')
    .select(['v.slug', 'a.version_id as version', 'a.agreed_at', 'v.text'])
    .where('a.user_id', '=', userId)
    .orderBy('a.version_id', 'desc')
    .execute()
  return rows.map(({ slug, agreed_at, ...row }) => ({
    ...row,
    slug: slug as Slug,
    title: TITLES[slug as Slug],
    agreed_at: agreed_at.toISOString(),
  }))
}

/** Says whether new members agree to a page, with an entry in the log. */
export async function requireAgreement(
  db: Database,
  operator: Id,
  slug: Slug,
  { agreed_at_signup: isAsked, reason: why }: { agreed_at_signup: boolean; reason: string },
): Promise<void> {
  await transaction(db, async db => {
    await lock(db, slug)
    const changed = await db
      .updateTable('pages')
      .set({ agreed_at_signup: isAsked })
      .where('slug', '=', slug)
      .where('agreed_at_signup', '!=', isAsked)
      .returning('slug')
      .executeTakeFirst()
    if (!changed) return
    const reason = `${TITLES[slug]}: new members ${isAsked ? 'agree to it' : 'need not agree to it'}: ${why}`
    await record(db, operator, { action: 'page-agreement', reason })
  })
}
