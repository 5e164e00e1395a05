import { expect, test } from 'vitest'
import { statementName } from './query-log.ts'

test.each([
  ['begin', 'begin'],
  ['select 1', 'select'],
  ['select "id" from "users" where "email" = $1', 'select users'],
  ['select * from "sessions" inner join "users" on "users"."id" = "user_id"', 'select sessions users'],
  [
    'insert into "cart_lines" ("user_id") values ($1) on conflict do update set quantity = 2',
    'insert cart_lines',
  ],
  ['update "orders" set "status" = $1', 'update orders'],
  ['update only public.orders set status = $1', 'update orders'],
  ['delete from "sessions" where expires_at < now()', 'delete sessions'],
  ['select "id" from "products" where "id" = $1 for update', 'select products'],
  ['select "id" from "products" as "p" for no key update of "p"', 'select products'],
  ['insert into limits values (floor(extract(epoch from now()))) returning count', 'insert limits'],
  ['select * from unnest($1::int[]) as id join "images" on true', 'select images'],
  ['select a is distinct from b as differs from "words"', 'select words'],
  [
    'with found as (select * from catalogue) select * from found join users on true',
    'select catalogue users',
  ],
  ['with new as (insert into orders values ($1) returning id) select * from new', 'insert orders'],
  [
    'select 1 from a join b on true join c on true join d on true join e on true join f on true join g on true',
    'select a b c d e f',
  ],
  ['-- odd', 'statement'],
])('%s is called: %s', (text, name) => {
  expect(statementName(text)).toBe(name)
})
