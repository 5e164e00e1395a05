import type { Head } from '#web/documentHead.ts'
import { addressOf } from '../address.ts'
import { categoryAddress } from '../categories.ts'
import { calls } from '../contract.ts'
import type { loader as categoryLoader } from './category.ts'
import type { loader as productLoader } from './product.ts'

/** What the list of listings can be asked for, page, order and filters. */
const selects = Object.keys(calls['GET /api/products/'].query.def.shape)

export const product: Head<Awaited<ReturnType<typeof productLoader>>> = {
  address: ({ listing }) => addressOf(listing),
  type: 'product',
}

export const landing: Head = { selects }

export const category: Head<Awaited<ReturnType<typeof categoryLoader>>> = {
  address: ({ category }) => categoryAddress(category),
  selects,
}
