import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { currentUser } from '#accounts/session-cookie.ts'
import type { Id } from '#contract'
import { isOperator } from '#operators/operators.ts'
import { hasReauthenticated } from '#operators/require-operator.ts'
import { batchLookups } from '#platform/database/batch.ts'
import type { Database } from '#platform/database/database.ts'
import { isUnavailable } from '#platform/database/database-errors.ts'

/** Who may see an image. */
interface Visibility {
  /** Id of the owner. Null for an image of the shop or of a deleted account. */
  owner: Id | null
  /** Whether it is hidden with its listing or with all that a suspended maker sells, or its listing is being deleted. */
  isHidden: boolean
}

/** Who may see the image with this folder, undefined if there is none; concurrent lookups share a query. */
const find = batchLookups<Visibility>(async (db, folders) => {
  const rows = await db
    .selectFrom('images as i')
    .leftJoin('products as p', 'p.id', 'i.product_id')
    .leftJoin('users as u', 'u.id', 'i.owner_id')
    .select(['i.folder', 'i.owner_id as owner'])
    .select(
      sql<boolean>`coalesce(p.hidden_at, p.suspended_at, u.suspended_at) is not null
        or p.deleted_at is not null and p.retired_at is null`.as('isHidden'),
    )
    .where('i.folder', 'in', folders)
    .execute()
  return new Map(rows.map(({ folder, ...visibility }) => [folder, visibility]))
})

/** Maximum number of folders in the cache; about 2 MB. */
const MAX_KNOWN = 10_000

/** The visibility of images that were served, cached until the next invalidation. */
export class VisibilityCache {
  readonly #entries = new LRUCache<string, Visibility & { epoch: number | undefined }>({ max: MAX_KNOWN })

  /** Whether this image was public when it was served last. */
  wasPublic(folder: string): boolean {
    return this.#entries.get(folder)?.isHidden === false
  }

  /**
   * The visibility of an image. Undefined if there is none. While the database is unavailable, the last known
   * visibility counts; an image that was never served counts as public.
   * @param epoch that of the cache when the request arrived. Undefined while the cache is off
   */
  async get(db: Database, epoch: number | undefined, folder: string): Promise<Visibility | undefined> {
    const known = this.#entries.get(folder)
    if (known?.epoch !== undefined && known.epoch === epoch) return known
    try {
      return await find(db, folder)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      return known ?? { owner: null, isHidden: false }
    }
  }

  /** Caches the visibility of an image that is served. */
  set(epoch: number | undefined, folder: string, { owner, isHidden }: Visibility): void {
    this.#entries.set(folder, { owner, isHidden, epoch })
  }
}

/** Whether this request may see a hidden image: its owner may, and an operator after reauthentication. */
export async function maySeeHidden(request: FastifyRequest, owner: Id | null): Promise<boolean> {
  const user = await currentUser(request)
  if (!user) return false
  return (
    user.id === owner ||
    ((await hasReauthenticated(request)) && (await isOperator(request.server.db, user.id)))
  )
}
