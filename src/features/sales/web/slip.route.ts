import type { LoaderFunctionArgs } from 'react-router'
import { personOf } from '#accounts/web/person.ts'
import { apiOf } from '#ui/api-client.ts'
import type { Handle } from '#ui/page-title.ts'
import type { Sale } from '../contract.ts'

export interface Slip {
  sale: Sale
  /** Of the maker's shop, as pages show it. */
  maker: string
  withPrices: boolean
}

/** The order of a packing slip. @throws Problem 404 for anybody but its maker */
export async function loader(args: LoaderFunctionArgs): Promise<Slip> {
  const { username } = await personOf(args)
  const ask = apiOf(args)
  const [sale, { display_name: maker }] = await Promise.all([
    ask('GET /api/sales/:orderId', { params: { orderId: args.params.orderId ?? '' } }),
    ask('GET /api/shops/:username', { params: { username } }),
  ])
  return { sale, maker, withPrices: new URL(args.request.url).searchParams.has('prices') }
}

export const handle: Handle<Slip> = { title: ({ sale }) => `Packing slip of order #${sale.id}` }
