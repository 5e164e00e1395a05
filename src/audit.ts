import type pg from 'pg'
import { imageFiles } from '#images/dto.ts'
import { orderRules } from '#orders/audit-orders.ts'
import { chunks } from '#platform/async/chunks.ts'
import type { Files } from '#platform/storage/files.ts'

/** Description of one inconsistency. */
type Finding = string

interface Check {
  /** The rule that holds if there are no findings. */
  rule: string
  find: (sources: { client: pg.Client; files: Files }) => AsyncIterable<Finding>
}

/** Findings of one check that are printed. */
const MAX_PRINTED = 20
/** Rows in memory at a time. */
const PAGE = 500
/** Pictures checked concurrently: an object store is slow, but parallel. */
const CONCURRENT_PICTURES = 16
const DAY_MS = 24 * 60 * 60 * 1000

/** A check by one statement: a row with the column `what` for every finding. */
const rows = (rule: string, sql: string): Check => ({
  rule,
  async *find({ client }) {
    const found = await client.query<{ what: string }>(`${sql} limit ${MAX_PRINTED + 1}`)
    for (const { what } of found.rows) yield what
  },
})

const checks: Check[] = [
  rows(
    'Stock is the sum of its ledger',
    `select format('listing %s: %s in stock, %s in the ledger', p.id, coalesce(s.quantity::text, 'nothing'), coalesce(l.units::text, 'nothing')) as what
     from products p left join stock s on s.product_id = p.id
     left join (select product_id, sum(units) as units from stock_ledger group by product_id) l on l.product_id = p.id
     where s.quantity is distinct from l.units or s.quantity is null`,
  ),
  rows(
    'Combinations have the stock of their ledger, and a listing their lowest price and their sum',
    `select format('combination %s of listing %s: %s in stock, %s in the ledger', v.id, v.product_id, v.quantity, coalesce(l.units, 0)) as what
     from variants v left join (select variant_id, sum(units) as units from stock_ledger where variant_id is not null group by 1) l on l.variant_id = v.id
     where v.quantity <> coalesce(l.units, 0)
     union all
     select format('listing %s: %s cents and %s in stock, its combinations %s and %s', p.id, p.price_cents, s.quantity, v.price_cents, v.quantity)
     from products p join stock s on s.product_id = p.id
     join (select product_id, min(price_cents) as price_cents, sum(quantity) as quantity from variants where deleted_at is null group by 1) v on v.product_id = p.id
     where (p.price_cents, s.quantity) <> (v.price_cents, v.quantity)
     union all
     select format('combination %s: %s of another listing', v.id, l.what) from variants v join (
       select variant_id, product_id, 'an entry in the ledger' as what from stock_ledger where variant_id is not null
       union all select variant_id, product_id, 'a cart line' from cart_lines where variant_id is not null
       union all select variant_id, product_id, 'a line of an order' from order_lines where variant_id is not null
     ) l on l.variant_id = v.id where l.product_id <> v.product_id
     union all
     select format('listing %s: variations without combinations, or the other way round', p.id) from products p
     where (p.variations <> '[]') <> exists (select from variants v where v.product_id = p.id and v.deleted_at is null) and p.deleted_at is null`,
  ),
  ...orderRules.map(([rule, sql]) => rows(rule, sql)),
  rows(
    'Cart lines are of a person and a listing, from 1 to 30 pieces',
    `select format('cart line %s', l.id) as what from cart_lines l
     left join users u on u.id = l.user_id left join products p on p.id = l.product_id
     where u.id is null or p.id is null or l.quantity not between 1 and 30`,
  ),
  rows(
    'Ratings are the sum of the reviews',
    `select format('listing %s: %s reviews with %s stars, %s and %s in its rating', coalesce(v.product_id, r.product_id), coalesce(v.reviews, 0), coalesce(v.stars, 0), coalesce(r.reviews, 0), coalesce(r.stars, 0)) as what
     from (select product_id, count(*) as reviews, sum(stars) as stars from reviews where hidden_at is null group by product_id) v
     full join ratings r on r.product_id = v.product_id
     where (coalesce(v.reviews, 0), coalesce(v.stars, 0)) <> (coalesce(r.reviews, 0), coalesce(r.stars, 0))`,
  ),
  rows(
    'The catalogue says what the listings say',
    `select format('listing %s: %s', coalesce(c.product_id, s.product_id), case when c is null then 'is in no list' when s is null then 'is in a list, and deleted' else 'differs from its row' end) as what
     from catalogue c full join catalogue_source s on s.product_id = c.product_id where c is distinct from s`,
  ),
  rows(
    'The listings of suspended makers are suspended, and no others',
    `select format('listing %s: %s', p.id, case when u.suspended_at is null then 'suspended, its maker is not' else 'for sale, its maker is suspended' end) as what
     from products p join users u on u.id = p.seller_id
     where case when u.suspended_at is null then p.suspended_at is not null else p.deleted_at is null end`,
  ),
  rows(
    // A maker who deletes a hidden reply may write another one: then the decision stands, and the reply is shown.
    'What is hidden or suspended has a decision that stands, and nothing else has',
    `with standing as (
       select action, product_id, review_id, person_id from operator_log d where action in ('listing-hidden', 'review-hidden', 'reply-hidden', 'person-suspended')
         and not exists (select from operator_log t where t.about = d.id and t.action in ('listing-shown', 'review-shown', 'reply-shown', 'person-restored'))
     ), subjects as (
       select 'listing' as kind, id, hidden_at is not null as hidden, deleted_at is null as shown, id in (select product_id from standing where action = 'listing-hidden') as decided from products
       union all select 'review', id, hidden_at is not null, hidden_at is null, id in (select review_id from standing where action = 'review-hidden') from reviews
       union all select 'reply to review', id, reply_hidden_at is not null, false, id in (select review_id from standing where action = 'reply-hidden') from reviews
       union all select 'person', id, suspended_at is not null, suspended_at is null, id in (select person_id from standing where action = 'person-suspended') from users where erased_at is null
     )
     select format('%s %s: %s', kind, id, case when hidden then 'hidden or suspended, no decision stands' else 'shown, a decision stands' end) as what
     from subjects where case when decided then shown else hidden end`,
  ),
  { rule: 'An id names one thing, and the next one is new', find: repeatedIds },
  rows(
    'Every rule and every trigger of the database is switched on',
    `select format('%s: %s does not hold for all rows', conrelid::regclass, conname) as what from pg_constraint
       where connamespace = 'public'::regnamespace and not convalidated
     union all select format('%s: trigger %s is off', tgrelid::regclass, tgname) from pg_trigger t
       join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'public'::regnamespace and t.tgenabled <> 'O'
     union all select format('index %s is broken', indexrelid::regclass) from pg_index i
       join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace and not i.indisvalid`,
  ),
  rows(
    'Every picture is of a listing, a draft, a maker or the shop',
    `select format('picture %s: %s', i.id, i.folder) as what from images i
     where i.product_id is null and i.draft_id is null
       and not exists (select 1 from shops where i.id in (image_id, banner_id))
       and not exists (select 1 from brand where i.id in (logo, hero))`,
  ),
  { rule: 'Every picture has its files', find: missingFiles },
  { rule: 'Every file belongs to a picture', find: orphans },
]

/** Ids that two rows have, and ids above the shared sequence, which would give them again. */
async function* repeatedIds({ client }: { client: pg.Client }): AsyncIterable<Finding> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.relname as name from pg_attrdef d join pg_class c on c.oid = d.adrelid
     where c.relnamespace = 'public'::regnamespace and pg_get_expr(d.adbin, d.adrelid) = $1 order by 1`,
    [`nextval('ids'::regclass)`],
  )
  const all = tables.map(({ name }) => `select id, '${name}' as kind from ${client.escapeIdentifier(name)}`)
  const { rows } = await client.query<{ what: string }>(
    `with named as (${all.join(' union all ')})
     select format('%s: %s', id, string_agg(kind, ' and ' order by kind)) as what from named group by id having count(*) > 1
     limit ${MAX_PRINTED + 1}`,
  )
  for (const { what } of rows) yield what
  const { rows: reused } = await client.query<{ what: string }>(
    `with named as (${all.join(' union all ')}), latest as (select max(id) as id from named)
     select format('id %s is given, and the sequence is at %s', latest.id, ids.last_value) as what from latest, ids
     where latest.id > ids.last_value`,
  )
  for (const { what } of reused) yield what
}

async function* missingFiles({ client, files }: { client: pg.Client; files: Files }): AsyncIterable<Finding> {
  const findMissing = async (image: Picture): Promise<Finding[]> => {
    const sizes = new Map((await files.contents(image.folder)).map(({ name, size }) => [name, size]))
    return imageFiles(image)
      .filter(name => !sizes.get(name))
      .map(
        name => `picture ${image.id}: ${image.folder}/${name} ${sizes.has(name) ? 'is empty' : 'is missing'}`,
      )
  }
  for await (const group of chunks(images(client), CONCURRENT_PICTURES)) {
    for (const [n, found] of (await Promise.all(group.map(findMissing))).entries())
      if (found.length > 0 && (await stillExists(client, group[n]?.folder ?? ''))) yield* found
  }
}

/** Folders older than a day and an hour: the cleanup job should have deleted them. */
async function* orphans({ client, files }: { client: pg.Client; files: Files }): AsyncIterable<Finding> {
  for await (const folder of files.list(new Date(Date.now() - 1.05 * DAY_MS))) {
    if (!(await stillExists(client, folder)))
      yield `${folder} belongs to no picture; the shop removes it within an hour`
  }
}

const stillExists = async (client: pg.Client, folder: string): Promise<boolean> =>
  ((await client.query('select 1 from images where folder = $1', [folder])).rowCount ?? 0) > 0

interface Picture {
  id: string
  folder: string
  kind: string
  widths: number[]
}

/** Every picture, one page of rows at a time. */
async function* images(client: pg.Client): AsyncIterable<Picture> {
  for (let last = '0', more = true; more; ) {
    const { rows } = await client.query<Picture>(
      `select id, folder, kind, widths from images where id > $1 order by id limit ${PAGE}`,
      [last],
    )
    yield* rows
    last = rows.at(-1)?.id ?? last
    more = rows.length === PAGE
  }
}

/**
 * Checks the consistency of the data, also while the shop runs. Each check is one snapshot; nothing is changed, and
 * at most a page of rows is in memory.
 * @param print receives a line for every check, followed by its first 20 findings
 * @returns number of checks with findings
 */
export async function audit(client: pg.Client, files: Files, print: (line: string) => void): Promise<number> {
  let failed = 0
  for (const { rule, find } of checks) {
    const findings: Finding[] = []
    for await (const finding of find({ client, files })) {
      findings.push(finding)
      if (findings.length > MAX_PRINTED) break
    }
    if (findings.length > 0) failed++
    print(`${findings.length > 0 ? '✗' : '✓'} ${rule}`)
    for (const finding of findings.slice(0, MAX_PRINTED)) print(`    ${finding}`)
    if (findings.length > MAX_PRINTED) print('    … and more')
  }
  return failed
}
