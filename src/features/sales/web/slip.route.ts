import type { LoaderFunctionArgs } from 'react-router'
import { requireLogin } from '#accounts/web/person.ts'
import { apiOf } from '#ui/api-client.ts'
import type { Handle } from '#ui/page-title.ts'
import type { Sale } from '../contract.ts'

export interface Slip {
  sale: Sale
  withPrices: boolean
}

/** The order of a packing slip. @throws Problem 404 for any user but its maker */
export async function loader(args: LoaderFunctionArgs): Promise<Slip> {
  await requireLogin(args)
  const params = { orderId: args.params.orderId ?? '' }
  const sale = await apiOf(args)('GET /api/sales/:orderId', { params })
  return { sale, withPrices: new URL(args.request.url).searchParams.has('prices') }
}

export const handle: Handle<Slip> = { title: ({ sale }) => `Packing slip of order #${sale.id}` }
