import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type TestShop } from '../test/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/**
 * Foreign keys without an index that begins with their columns, in any order. A partial index counts if it only
 * excludes nulls.
 */
const unindexed = async () => {
  const rows = await shop.rows(`
    select conrelid::regclass || ' (' || columns || ')' as key
    from pg_constraint as f
    cross join lateral (
      select string_agg(attname, ', ' order by place) as columns,
        string_agg(format('(%s IS NOT NULL)', attname), ' AND ' order by place) as not_null
      from unnest(conkey) with ordinality as column_number (attnum, place)
      join pg_attribute as a on a.attrelid = conrelid and a.attnum = column_number.attnum
    ) as named
    where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
      select from pg_index as i
      where indrelid = conrelid and indisvalid and indnkeyatts >= cardinality(conkey)
        and (indpred is null or pg_get_expr(indpred, indrelid) = not_null)
        and (string_to_array(indkey::text, ' ')::int2[])[:cardinality(conkey)] @> conkey
    )
    order by 1`)
  return rows.map(({ key }) => key)
}

test('every foreign key has an index that begins with its columns', async () => {
  expect(await unindexed()).toEqual([])
})

test('a foreign key without one is found, also with an index that begins with another column or is partial', async () => {
  await shop.rows('create table gifts (id int, product_id bigint references products)')
  await shop.rows('create index on gifts (id, product_id)')
  await shop.rows('create index on gifts (product_id) where id > 7')
  await shop.rows('create index on gifts using hash ((product_id + 1))')
  await shop.rows('drop index cart_lines_product')
  expect(await unindexed()).toEqual(['cart_lines (product_id)', 'gifts (product_id)'])
  await shop.rows('create index on gifts (product_id) where product_id is not null')
  await shop.rows('create index cart_lines_product on cart_lines (product_id, id)')
  expect(await unindexed()).toEqual([])
})
