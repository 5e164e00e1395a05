import { type RawBuilder, sql } from 'kysely'
import { isItemPhoto } from '#cart/stock-item.ts'
import { photoOrder, smallestUrl } from '#images/dto.ts'
import { isListedOrPaused } from '#products/paused.ts'

/** SQL: whether the listing of the line `order_lines as l` is not for sale any more, and has no page. */
export const isGone = sql<boolean>`exists (
  select 1 from products as p where p.id = l.product_id and p.deleted_at is not null)`

/**
 * SQL: address of a small picture of the line `order_lines as l`: of its combination, else the cover of its listing. null
 * without one, while an operator hides the listing, and once it is deleted.
 */
export const linePicture: RawBuilder<string | null> = sql`(
  select ${smallestUrl} from images as i
  join products as p on p.id = i.product_id and coalesce(p.hidden_at, p.suspended_at) is null
    and ${isListedOrPaused('p')}
  left join variants as v on v.id = l.variant_id
  where i.product_id = l.product_id and i.width is not null
  order by ${isItemPhoto} desc, ${photoOrder} limit 1)`
