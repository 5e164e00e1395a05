import { expect, test } from 'vitest'
import {
  featureOf,
  fileCycles,
  imports,
  isContract,
  isServer,
  isWeb,
  type Rule,
  type SourceTree,
  sourceTree,
} from '../support/source-tree.ts'

/** Allowed imports of each layer. Both sides import contracts, but what serves every feature knows no feature's. */
const layers: Record<string, string[]> = {
  shared: ['shared'],
  contracts: ['shared', 'contracts'],
  platform: ['shared', 'platform'],
  features: ['shared', 'contracts', 'platform', 'features'],
  app: ['shared', 'contracts', 'platform', 'features', 'app'],
  ui: ['shared', 'ui'],
  web: ['shared', 'contracts', 'ui', 'web'],
  storefront: ['shared', 'contracts', 'ui', 'web', 'storefront'],
}
/** The layer of a file: `contracts` and `web` for those of a feature. Undefined for packages and programs. */
function layerOf(name: string): string | undefined {
  if (isContract(name)) return featureOf(name) ? 'contracts' : 'shared'
  const [, folder, file] = /^src\/(?:(shared|platform|ui|storefront|features)\/|([^/]+$))/.exec(name) ?? []
  if (file) return 'app'
  return folder === 'features' && isWeb(name) ? 'web' : folder
}

/** The folders of `src/platform`: each imports only those before it. */
const platformOrder = [
  'async',
  'config',
  'observability',
  'database',
  'embedded-postgres',
  'cache',
  'storage',
  'jobs',
  'http',
  'mail',
  'api',
  'ssr',
  'cluster',
]
/** Index of a platform file's folder in that order; -1 if missing there, undefined outside the platform. */
function platformIndexOf(name: string): number | undefined {
  const [, folder] = /^src\/platform\/(?:([^/]+)\/)?/.exec(name) ?? [undefined, undefined]
  return name.startsWith('src/platform/') ? platformOrder.indexOf(folder ?? '') : undefined
}
const isPlatform = (name: string) => platformIndexOf(name) !== undefined
/** The order of the features, for server, contracts and pages together: each imports only those before it. */
const order = [
  'accounts',
  'operators',
  'images',
  'site',
  'onboarding',
  'pages',
  'addresses',
  'postage',
  'products',
  'sections',
  'draft-pictures',
  'drafts',
  'transfer',
  'search',
  'sellers',
  'social-images',
  'favourites',
  'cart',
  'reviews',
  'checkout',
  'orders',
  'messages',
  'sales',
  'notifications',
  'moderation',
  'personal-data',
  'feeds',
]
/** Whether one feature comes before another. False for folders that are not in the order. */
const before = (one: string, other: string) =>
  order.includes(one) && order.indexOf(one) < order.indexOf(other)

const toWeb = (to: string) => isWeb(to) || /^react/.test(to)

/** Each rule with minimal source trees that break it. */
const rules: Record<string, { rule: Rule; broken: SourceTree[] }> = {
  'each layer imports only those before it': {
    rule: imports(
      name => layerOf(name) !== undefined,
      (to, name) => {
        const layer = layerOf(to)
        return layer === undefined || (layers[layerOf(name) ?? '']?.includes(layer) ?? false)
      },
    ),
    broken: [
      { 'src/shared/money.ts': "import { pool } from '#platform/database/database.ts'" },
      { 'src/platform/api/api.ts': "import { whoHas } from '#accounts/accounts.ts'" },
      { 'src/shared/contract.ts': "import { Listing } from '#products/contract.ts'" },
      { 'src/platform/mail/outbox.ts': "import type { User } from '#accounts/contract.ts'" },
      { 'src/ui/Dialog.tsx': "import { Photo } from '#images/web/Photo.tsx'" },
      { 'src/ui/api-client.ts': "import type { calls } from '#cart/contract.ts'" },
      { 'src/ui/api-client.ts': "import type {} from '#storefront/calls.ts'" },
      { 'src/features/cart/cart.ts': "import { createApp } from '../../app.ts'" },
      { 'src/features/cart/cart.ts': "import { cleanupJobs } from '../../cleanup-job.ts'" },
      { 'src/features/cart/web/cart.route.ts': "import { heads } from '#storefront/route-meta.ts'" },
      { 'src/features/cart/web/cart.route.ts': "const { routes } = await import('#storefront/routes.tsx')" },
      { 'src/storefront/routes.tsx': "import { find } from '#products/products.ts'" },
    ],
  },
  'each folder of the platform imports only those before it': {
    rule: imports(isPlatform, (to, name) => {
      const [from = -1, target] = [platformIndexOf(name), platformIndexOf(to)]
      return from >= 0 && (target === undefined || (target >= 0 && target <= from))
    }),
    broken: [
      {
        'src/platform/database/replica.ts': "import type { ResponseCache } from '../cache/response-cache.ts'",
      },
      { 'src/platform/cache/page-cache.ts': "import { render } from '#platform/ssr/rendering.ts'" },
      { 'src/platform/storage/storage.ts': "const { api } = await import('../api/api.ts')" },
      { 'src/platform/common/helpers.ts': "import { join } from 'node:path'" },
      { 'src/platform/http/csrf.ts': "import { pick } from '../common/helpers.ts'" },
    ],
  },
  'each feature imports only those before it, on the server and on the pages': {
    rule: imports(
      name => featureOf(name) !== undefined,
      (to, name) => {
        const [from, feature] = [featureOf(name) ?? '', featureOf(to)]
        return feature === undefined || feature === from || before(feature, from)
      },
    ),
    broken: [
      { 'src/features/cart/cart.ts': "import * as orders from '#orders/orders.ts'" },
      { 'src/features/products/web/Gallery.tsx': "import { AddToCart } from '#cart/web/AddToCart.tsx'" },
      { 'src/features/products/contract.ts': "export type { CartLine } from '#cart/contract.ts'" },
      { 'src/features/products/web/ListingCard.tsx': "void import('../../reviews/web/ReviewList.tsx')" },
      // A mutual import breaks the rule in any order.
      {
        'src/features/cart/cart.ts': "import { find } from '#products/products.ts'",
        'src/features/products/web/Gallery.tsx': "import { AddToCart } from '#cart/web/AddToCart.tsx'",
      },
      { 'src/features/gifts/gifts.ts': "import { find } from '#products/products.ts'" },
      { 'src/features/orders/orders.ts': "import * as gifts from '../gifts/gifts.ts'" },
    ],
  },
  'no cycles between files, dynamic imports included': {
    rule: fileCycles,
    broken: [
      {
        'src/features/orders/paging.ts': "import type { Order } from './contract.ts'",
        'src/features/orders/contract.ts': "import { fitting } from './paging.ts'",
      },
      {
        'src/features/products/web/ListingCard.tsx': "import { prefetch } from './prefetch.ts'",
        'src/features/products/web/prefetch.ts': "void import('./ProductPage.tsx')",
        'src/features/products/web/ProductPage.tsx': "import { ListingCard } from './ListingCard.tsx'",
      },
    ],
  },
  'contracts import only zod/mini and other contracts': {
    rule: imports(isContract, to => to === 'zod/mini' || isContract(to)),
    broken: [
      { 'src/features/cart/contract.ts': "import * as z from 'zod'" },
      { 'src/features/cart/contract.ts': "import { lock } from './cart.ts'" },
      { 'brand.ts': "import { readFile } from 'node:fs/promises'" },
    ],
  },
  'server files never import from a folder web/, nor what draws pages': {
    rule: imports(isServer, to => !toWeb(to)),
    broken: [
      { 'src/features/cart/routes.ts': "import { Page } from './web/CartPage.tsx'" },
      { 'src/platform/ssr/pages.ts': "import { renderToString } from 'react-dom/server'" },
    ],
  },
  'browser code lives only in folders called web/': {
    rule: tree => Object.keys(tree).filter(name => /\.(tsx|css)$/.test(name) && !isWeb(name)),
    broken: [{ 'src/features/cart/CartPage.tsx': '' }, { 'src/theme.css': '' }],
  },
  'web/ never imports server files, not even their types': {
    rule: imports(
      isWeb,
      to => !to.startsWith('node:') && (!/^(src|scripts|demo)\//.test(to) || isWeb(to) || isContract(to)),
    ),
    broken: [
      { 'src/features/cart/web/cart.route.ts': "import type { Row } from '../cart.ts'" },
      { 'src/ui/api-client.ts': "import { join } from 'node:path'" },
    ],
  },
}

test.each(Object.entries(rules))('%s', (_, { rule, broken }) => {
  expect(broken.map(rule)).not.toContainEqual([])
  expect(rule(sourceTree)).toEqual([])
})

test('every file belongs to a layer', () => {
  const without = (tree: SourceTree) =>
    Object.keys(tree).filter(name => name.startsWith('src/') && layerOf(name) === undefined)
  expect(without({ 'src/common/cart.ts': '', 'src/cleanup-job.ts': '' })).toEqual(['src/common/cart.ts'])
  expect(without(sourceTree)).toEqual([])
})

test('every feature is in the order', () => {
  expect([...new Set(Object.keys(sourceTree).flatMap(name => featureOf(name) ?? []))].sort()).toEqual(
    order.toSorted(),
  )
})
