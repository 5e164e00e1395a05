import { type RawBuilder, sql } from 'kysely'

/** SQL: how many messages of one side about `o`, a row of orders, the other side has not read. @param by who wrote them */
export const unreadMessages = (by: 'shopper' | 'maker'): RawBuilder<number> => sql<number>`(
  select count(*)::int from order_messages as m where m.order_id = o.id and m.role = ${by} and m.read_at is null
)`
