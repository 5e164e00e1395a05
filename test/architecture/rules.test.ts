import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { type Rule, type SourceTree, sourceTree, text } from '../support/source-tree.ts'

/** Table → the folder that writes it. */
const owners: Record<string, string> = {
  users: 'src/features/accounts/',
  sessions: 'src/features/accounts/',
  device_cookies: 'src/features/accounts/',
  passkeys: 'src/features/accounts/',
  passkey_challenges: 'src/features/accounts/',
  email_links: 'src/features/accounts/',
  security_events: 'src/features/accounts/',
  former_usernames: 'src/features/accounts/',
  // Written by a trigger on sessions, cleaned up here.
  ended_sessions: 'src/features/accounts/',
  rate_limits: 'src/platform/http/rate-limit.ts',
  operators: 'src/features/operators/',
  operator_sessions: 'src/features/operators/',
  operator_log: 'src/features/operators/',
  site_settings: 'src/features/site/',
  brand: 'src/features/site/',
  setup_links: 'src/features/operators/',
  applications: 'src/features/onboarding/',
  invitations: 'src/features/onboarding/',
  invitation_uses: 'src/features/onboarding/',
  seller_details: 'src/features/onboarding/',
  pages: 'src/features/pages/',
  page_versions: 'src/features/pages/',
  agreements: 'src/features/pages/',
  reports: 'src/features/moderation/',
  objections: 'src/features/moderation/',
  outbox: 'src/platform/mail/',
  data_exports: 'src/features/personal-data/',
  letters_off: 'src/features/notifications/',
  postage_profiles: 'src/features/postage/',
  postage_rates: 'src/features/postage/',
  pickup_places: 'src/features/postage/',
  sections: 'src/features/sections/',
  drafts: 'src/features/drafts/',
  addresses: 'src/features/addresses/',
  products: 'src/features/products/',
  // Written only by a trigger on the ledger.
  stock: 'src/features/products/',
  stock_ledger: 'src/features/products/',
  variants: 'src/features/products/',
  // Both are written by triggers; unused words are cleaned up here.
  catalogue: 'src/features/search/',
  vocabulary: 'src/features/search/',
  images: 'src/features/images/',
  draft_pictures: 'src/features/draft-pictures/',
  pending_imports: 'src/features/transfer/',
  shops: 'src/features/sellers/',
  shop_names: 'src/features/sellers/',
  former_shop_names: 'src/features/sellers/',
  favourites: 'src/features/favourites/',
  reviews: 'src/features/reviews/',
  // Written only by a trigger on reviews.
  ratings: 'src/features/reviews/',
  carts: 'src/features/cart/',
  cart_lines: 'src/features/cart/',
  cart_choices: 'src/features/cart/',
  orders: 'src/features/orders/',
  order_lines: 'src/features/orders/',
  order_messages: 'src/features/messages/',
  conversations: 'src/features/messages/',
  conversation_messages: 'src/features/messages/',
  order_addresses: 'src/features/orders/',
  order_events: 'src/features/orders/',
  order_event_units: 'src/features/orders/',
  // A migration inserts its only row.
  installation: 'src/platform/database/database.ts',
  migrations: 'src/platform/',
}
const MAX_LINES = 220

const WRITES = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`](\w+)/g,
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+"?(\w+)/gi,
  /\bupdate\s+(?:only\s+)?"?(\w+)"?(?:\s+as\s+\w+|\s+(?!set\b)\w+)?\s+set\b/gi,
]
const writesOfOthers: Rule = tree =>
  Object.entries(tree).flatMap(([name, source]) =>
    WRITES.flatMap(pattern => [...source.matchAll(pattern)])
      // The past of the demo shop: features write only the present.
      .filter(([, table = '']) => name !== 'demo/history.ts' && !name.startsWith(owners[table] ?? 'nobody'))
      .map(([found]) => `${name}: ${found}`),
  )

const tooLong: Rule = tree =>
  Object.entries(tree)
    .filter(([, source]) => !source.startsWith('// Generated'))
    .map(([name, source]) => [name, source.trimEnd().split('\n').length] as const)
    .filter(([name, lines]) => /^src\/.*\.tsx?$/.test(name) && lines > MAX_LINES)
    .map(([name, lines]) => `${name} has ${lines} lines`)

/**
 * Terms of the trade, alone or in a longer name: 'cart', 'cart_lines', 'emptyCart'. Without `order`, which also
 * means sequence, and `shop`, which also means this installation.
 */
const trade = [
  'listing',
  'catalogue',
  'product(?!ion)',
  'cart(?!esian)',
  'order(?:s|_|Id|Line)',
  'checkout',
  'review',
  'rating',
  'seller',
  'buyer',
  'maker',
  'shopper',
  'shops',
  'shop[ -]page',
  'photo',
  'favourite',
  'stock',
]
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const tradeTerms = new RegExp(`(?<![A-Za-z])(?:${trade.join('|')})|${trade.map(capital).join('|')}`, 'g')

/** Each rule with minimal source trees that break it. */
const rules: Record<string, { rule: Rule; broken: SourceTree[] }> = {
  'only the feature that owns a table writes it': {
    rule: writesOfOthers,
    broken: [
      { 'src/features/orders/orders.ts': "db.deleteFrom('cart_lines')" },
      { 'src/features/cart/cart.ts': 'sql`update stock as s set quantity = 0`' },
      { 'src/features/reviews/reviews.ts': 'sql`INSERT INTO products (name)`' },
      { 'demo/fill.ts': "db.insertInto('nobodys')" },
    ],
  },
  'the table that is written stands in the statement': {
    rule: text(
      name => name.endsWith('.ts'),
      /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\((?!\s*['"`])/g,
    ),
    broken: [{ 'src/features/cart/cart.ts': 'db.insertInto(table)' }],
  },
  'no word of the trade stands in the platform or the ui': {
    rule: text(name => /^src\/(platform|ui)\//.test(name), tradeTerms),
    broken: [
      { 'src/platform/config/config.ts': '/** Whether sellers may buy and review their own listings. */' },
      { 'src/platform/http/upload.ts': "refuse(400, 'Photo or video is required')" },
      { 'src/platform/database/observed-client.ts': 'const planned = /from catalogue/' },
      { 'src/platform/ssr/pages.ts': "const forms = ['/settings/shop', '/products/new']" },
      { 'src/platform/http/rate-limit.ts': 'const limits = { cart_lines: 10 }' },
      { 'src/platform/api/api.ts': 'if (mayPlaceOrders) serve()' },
      { 'src/ui/Layout.tsx': '<Link to="/">All listings</Link>' },
      { 'src/ui/theme.css': '.photo { display: block }' },
    ],
  },
  'the environment is read in one place': {
    rule: text(
      name => /^(src|demo)\//.test(name) && name !== 'src/main.ts',
      // `SSR` distinguishes the two builds; it is no setting.
      /\bprocess\.env\b|\bimport\.meta\.env\b(?!\.SSR\b)/g,
    ),
    broken: [
      { 'src/platform/api/api.ts': 'if (process.env.DEBUG) log()' },
      { 'src/ui/api-client.ts': 'const mode = import.meta.env.MODE' },
    ],
  },
  'everything is exported by its name': {
    rule: text(() => true, /^export default\b|\bas default\b/gm),
    broken: [
      { 'src/features/cart/cart.ts': 'export default cart' },
      { 'src/features/cart/cart.ts': 'export { cart as default }' },
    ],
  },
  'files stay short': {
    rule: tooLong,
    broken: [{ 'src/features/cart/cart.ts': 'line\n'.repeat(MAX_LINES + 1) }],
  },
}

test.each(Object.entries(rules))('%s', (_, { rule, broken }) => {
  expect(broken.map(rule)).not.toContainEqual([])
  expect(rule(sourceTree)).toEqual([])
})

test('no two tests have the same file name', () => {
  const duplicates = (names: string[]) => {
    const files = names.map(name => posix.basename(name))
    return files.filter((file, index) => files.indexOf(file) !== index)
  }
  expect(duplicates(['src/features/cart/cart.test.ts', 'test/e2e/cart.test.ts'])).toEqual(['cart.test.ts'])
  expect(
    duplicates(globSync('{src,scripts,test}/**/*.test.ts', { cwd: join(import.meta.dirname, '../..') })),
  ).toEqual([])
})

test('every table has an owner', () => {
  const tables = [...(sourceTree['src/schema.ts'] ?? '').matchAll(/^ {4}(\w+): \{$/gm)].map(
    ([, table]) => table,
  )
  expect(tables).toContain('users')
  expect([...tables, 'migrations'].sort()).toEqual(Object.keys(owners).sort())
})

test('every stylesheet declares the order of the layers first', () => {
  const first = '@layer tokens, base, parts;\n'
  const without = (sheets: SourceTree) =>
    Object.keys(sheets).filter(name => name.endsWith('.css') && !sheets[name]?.startsWith(first))
  expect(without({ 'src/a.css': first, 'src/b.css': '@layer parts {}' })).toEqual(['src/b.css'])
  expect(without(sourceTree)).toEqual([])
})
