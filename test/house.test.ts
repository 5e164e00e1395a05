import { expect, test } from 'vitest'
import {
  cycles,
  type House,
  house,
  imports,
  isContract,
  isServer,
  isWeb,
  sliceOf,
  text,
  type Wall,
} from './house.ts'

/** Table → the one place that writes it. */
const owners: Record<string, string> = {
  users: 'src/accounts/',
  sessions: 'src/accounts/',
  device_cookies: 'src/accounts/',
  // A trigger on sessions writes it; the sweep forgets.
  ended_sessions: 'src/accounts/',
  limits: 'src/server/gates/limits.ts',
  products: 'src/products/',
  // Only a trigger on the ledger writes it.
  stock: 'src/products/',
  stock_ledger: 'src/products/',
  // Triggers write both; the sweep forgets words that no listing says any more.
  catalogue: 'src/products/',
  words: 'src/products/',
  images: 'src/images/',
  shops: 'src/shops/',
  favourites: 'src/favourites/',
  reviews: 'src/reviews/',
  // Only a trigger on reviews writes it.
  ratings: 'src/reviews/',
  carts: 'src/cart/',
  cart_lines: 'src/cart/',
  orders: 'src/orders/',
  order_lines: 'src/orders/',
  // A migration writes its only row.
  shop: 'src/server/database/database.ts',
  migrations: 'src/server/',
}
const MAX_LINES = 220

const WRITES = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`](\w+)/g,
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+"?(\w+)/gi,
  /\bupdate\s+(?:only\s+)?"?(\w+)"?(?:\s+as\s+\w+|\s+(?!set\b)\w+)?\s+set\b/gi,
]
const writesOfOthers: Wall = house =>
  Object.entries(house).flatMap(([name, source]) =>
    WRITES.flatMap(pattern => [...source.matchAll(pattern)])
      .filter(([, table = '']) => !name.startsWith(owners[table] ?? 'nobody'))
      .map(([found]) => `${name}: ${found}`),
  )

const tooLong: Wall = house =>
  Object.entries(house)
    .map(([name, source]) => [name, source.trimEnd().split('\n').length] as const)
    .filter(([name, lines]) => /^src\/.*\.tsx?$/.test(name) && lines > MAX_LINES)
    .map(([name, lines]) => `${name} has ${lines} lines`)

/** What scripts/unreached.ts takes out of React and the router. */
const leftOut = new RegExp(
  [
    /import\s*\{[^}]*\b(?:Activity|SuspenseList|ViewTransition|useActionState)\b[^}]*\} from 'react'/,
    /import\s*\{[^}]*\} from 'react-dom'/,
    /<(?:title|meta|link|style|script|[a-z]+-[\w-]+)[\s>]/,
    /<form\s[^>]*\baction=\{/,
    /<Fragment\s[^>]*\bref=/,
    /<[a-z]\w*\.Form\b(?![^>]*method="post")/,
    /\.load\(|\bmiddleware:/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

const upstairs = [
  'src/app.ts',
  'src/audit.ts',
  'src/main.ts',
  'src/serve.ts',
  'src/sweep.ts',
  'src/web/heads.ts',
  'src/web/routes.tsx',
  'src/worker.ts',
]
const toWeb = (to: string) => isWeb(to) || /^react/.test(to)

/** Each wall with the smallest houses in which it is broken. */
const walls: Record<string, { wall: Wall; broken: House[] }> = {
  'slices never import what puts them together': {
    wall: imports(
      name => sliceOf(name) !== undefined,
      to => !upstairs.includes(to),
    ),
    broken: [
      { 'src/cart/cart.ts': "import { createApp } from '../app.ts'" },
      { 'src/cart/web/cart.ts': "import { heads } from '#web/heads.ts'" },
      { 'src/cart/web/cart.ts': "const { routes } = await import('#web/routes.tsx')" },
    ],
  },
  'the ground floors know no slice': {
    wall: imports(
      name => /^src\/(server|web)\//.test(name) && !upstairs.includes(name),
      to => sliceOf(to) === undefined,
    ),
    broken: [{ 'src/server/http.ts': "import { whoHas } from '#accounts/accounts.ts'" }],
  },
  'no cycles between slices on the server': {
    wall: cycles(isServer),
    broken: [
      {
        'src/orders/orders.ts': "import * as cart from '#cart/cart.ts'",
        'src/cart/cart.ts': "import { find } from '../products/products.ts'",
        'src/products/products.ts': "import '#orders/orders.ts'",
      },
    ],
  },
  'no cycles between slices on the pages': {
    wall: cycles(isWeb),
    broken: [
      {
        'src/cart/web/CartPage.tsx': "import { Photo } from '#products/web/Photo.tsx'",
        'src/products/web/ProductPage.tsx': "import { AddToCart } from '#cart/web/AddToCart.tsx'",
      },
    ],
  },
  'no cycles between contracts': {
    wall: cycles(isContract),
    broken: [
      {
        'src/cart/contract.ts': "import { Listing } from '#products/contract.ts'",
        'src/products/contract.ts': "export type { CartLine } from '#cart/contract.ts'",
      },
    ],
  },
  'contracts import only zod/mini and other contracts': {
    wall: imports(isContract, to => to === 'zod/mini' || isContract(to)),
    broken: [
      { 'src/cart/contract.ts': "import * as z from 'zod'" },
      { 'src/calls.ts': "import { lock } from '#cart/cart.ts'" },
      { 'brand.ts': "import { readFile } from 'node:fs/promises'" },
    ],
  },
  'server files never import from a folder web/, nor what draws pages': {
    wall: imports(isServer, to => !toWeb(to)),
    broken: [
      { 'src/cart/routes.ts': "import { Page } from './web/CartPage.tsx'" },
      { 'src/server/pages/pages.ts': "import { renderToString } from 'react-dom/server'" },
    ],
  },
  'browser code lives only in folders called web/': {
    wall: house => Object.keys(house).filter(name => /\.(tsx|css)$/.test(name) && !isWeb(name)),
    broken: [{ 'src/cart/CartPage.tsx': '' }, { 'src/theme.css': '' }],
  },
  'web/ never imports server files, not even their types': {
    wall: imports(
      isWeb,
      to => !to.startsWith('node:') && (!/^(src|scripts|demo)\//.test(to) || isWeb(to) || isContract(to)),
    ),
    broken: [
      { 'src/cart/web/cart.ts': "import type { Row } from '../cart.ts'" },
      { 'src/web/api.ts': "import { join } from 'node:path'" },
    ],
  },
  'only the slice that owns a table writes it': {
    wall: writesOfOthers,
    broken: [
      { 'src/orders/orders.ts': "db.deleteFrom('cart_lines')" },
      { 'src/cart/cart.ts': 'sql`update stock as s set quantity = 0`' },
      { 'src/reviews/reviews.ts': 'sql`INSERT INTO products (name)`' },
      { 'demo/fill.ts': "db.insertInto('nobodys')" },
    ],
  },
  'the table that is written stands in the statement': {
    wall: text(
      name => name.endsWith('.ts'),
      /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\((?!\s*['"`])/g,
    ),
    broken: [{ 'src/cart/cart.ts': 'db.insertInto(table)' }],
  },
  'the environment is read in one place': {
    wall: text(
      name => /^(src|demo)\//.test(name) && name !== 'src/main.ts',
      // Which of the two builds it is, `SSR`, is no setting.
      /\bprocess\.env\b|\bimport\.meta\.env\b(?!\.SSR\b)/g,
    ),
    broken: [
      { 'src/server/http.ts': 'if (process.env.DEBUG) log()' },
      { 'src/web/api.ts': 'const mode = import.meta.env.MODE' },
    ],
  },
  'everything is exported by its name': {
    wall: text(() => true, /^export default\b|\bas default\b/gm),
    broken: [
      { 'src/cart/cart.ts': 'export default cart' },
      { 'src/cart/cart.ts': 'export { cart as default }' },
    ],
  },
  'pages use nothing that is left out of the build': {
    wall: text(
      // Both write documents on the server, and are in no browser.
      name => isWeb(name) && !['src/web/documentHead.ts', 'src/web/entry.server.tsx'].includes(name),
      leftOut,
    ),
    broken: [
      { 'src/cart/web/CartPage.tsx': "import { useActionState, useState } from 'react'" },
      { 'src/cart/web/CartPage.tsx': "import { preload } from 'react-dom'" },
      { 'src/cart/web/CartPage.tsx': '<title>Your cart</title>' },
      { 'src/cart/web/CartPage.tsx': '<gift-card to={name} />' },
      { 'src/cart/web/CartPage.tsx': '<form\n  action={remove}>' },
      { 'src/cart/web/CartPage.tsx': '<Fragment ref={lines}>' },
      { 'src/cart/web/CartPage.tsx': '<fetcher.Form action="/search">' },
      { 'src/cart/web/cart.ts': "fetcher.load('/cart')" },
    ],
  },
  'files stay short': {
    wall: tooLong,
    broken: [{ 'src/cart/cart.ts': 'line\n'.repeat(MAX_LINES + 1) }],
  },
}

test.each(Object.entries(walls))('%s', (_, { wall, broken }) => {
  expect(broken.map(wall)).not.toContainEqual([])
  expect(wall(house)).toEqual([])
})

test('every table has an owner', () => {
  const tables = [...(house['src/server/database/schema.ts'] ?? '').matchAll(/^ {2}(\w+): \w+Table$/gm)].map(
    ([, table]) => table,
  )
  expect(tables).toContain('users')
  expect([...tables, 'migrations'].sort()).toEqual(Object.keys(owners).sort())
})

test('every stylesheet names the order of the layers first, so that no bundle can change it', () => {
  const first = '@layer tokens, base, parts;\n'
  const without = (sheets: House) =>
    Object.keys(sheets).filter(name => name.endsWith('.css') && !sheets[name]?.startsWith(first))
  expect(without({ 'src/a.css': first, 'src/b.css': '@layer parts {}' })).toEqual(['src/b.css'])
  expect(without(house)).toEqual([])
})
