import { expect, test } from 'vitest'
import { type Rule, type SourceTree, sourceTree, text } from '../support/source-tree.ts'

/** Rules with one implementation, and an example of a second one. */
const rules: Record<string, { rule: Rule; broken: SourceTree[] }> = {
  'amounts of money are formatted and converted in one place': {
    rule: text(
      name =>
        name.startsWith('src/') &&
        name !== 'src/shared/money.ts' &&
        // Typed values are shown unchanged; and these two files have no amounts.
        !/\/(Filters\.tsx|passwords\.ts|Photo\.tsx)$/.test(name),
      /\.toFixed\(2\)|\$\$\{|\w*(?:price|total|cents)\w* [*/] 100\b/gi,
    ),
    broken: [
      { 'src/features/orders/web/OrderList.tsx': '`Total $${twoDecimals(total)}`' },
      { 'src/features/feeds/formats.ts': 'price.toFixed(2)' },
      { 'src/features/cart/web/CartPage.tsx': 'twoDecimals(cents / 100)' },
      { 'src/features/cart/cart.ts': 'price_cents: price * 100' },
    ],
  },
  'the mean of stars is computed in one place': {
    rule: text(
      name => name.startsWith('src/') && name !== 'src/features/products/mean-rating.ts',
      /\bstars\w*\)? \/ \w|\bavg\(/gi,
    ),
    broken: [
      { 'src/features/sellers/sellers.ts': 'rating: Math.round((10 * stars) / reviews) / 10' },
      { 'src/features/reviews/reviews.ts': 'sql`select avg(stars) from reviews`' },
    ],
  },
  'the columns of an image are listed in one place': {
    rule: text(
      name => name.startsWith('src/') && !name.startsWith('src/features/images/'),
      /(?:'|\b\w+\.)(?:widths|colour)'|\bheight, (?:\w+\.)?widths\b(?=.*\bfrom\b)/g,
    ),
    broken: [
      { 'src/features/products/products.ts': "select(['i.id', 'i.folder', 'i.widths'])" },
      { 'src/features/cart/add-to-cart.ts': 'sql`select folder, width, height, widths, colour from images`' },
    ],
  },
  'a user is found by the username in one place': {
    rule: text(
      name => /^(src|scripts)\//.test(name) && name !== 'src/features/accounts/find-user.ts',
      /lower\((?:\w+\.)?username\)(?:`,)?\s*(?:=|'=')|'(?:\w+\.)?username', '='/g,
    ),
    broken: [
      { 'src/features/sellers/sellers.ts': 'sql`lower(u.username) = lower($1)`' },
      { 'src/features/products/products.ts': "where('u.username', '=', seller)" },
      { 'scripts/import.ts': "where(sql`lower(username)`, '=', username.toLowerCase())" },
    ],
  },
  'cursors are encoded and read in one place': {
    rule: text(
      name => name.startsWith('src/') && name !== 'src/platform/database/cursor.ts',
      /cursor, 'base64url'|Buffer\.from\(`[^`]*`\)\.toString\('base64url'\)|new Problem\(400, '[^']*[Cc]ursor|interval '1 microsecond'/g,
    ),
    broken: [
      { 'src/features/reviews/reviews.ts': "Buffer.from(cursor, 'base64url').toString()" },
      { 'src/features/reviews/reviews.ts': "Buffer.from(`7.12`).toString('base64url')" },
      { 'src/features/orders/lists.ts': "throw new Problem(400, 'Cursor is not one of ours')" },
      { 'src/features/favourites/favourites.ts': "sql`timestamptz 'epoch' + at * interval '1 microsecond'`" },
    ],
  },
}

test.each(Object.entries(rules))('%s', (_, { rule, broken }) => {
  expect(broken.map(rule)).not.toContainEqual([])
  expect(rule(sourceTree)).toEqual([])
})
