import type { LoaderFunctionArgs } from 'react-router'
import { personOf } from '#accounts/web/person.ts'
import { apiOf } from '#web/api.ts'
import type { Order } from '../contract.ts'

/** The person's pending orders. */
export async function loader(args: LoaderFunctionArgs): Promise<Order[]> {
  await personOf(args)
  return apiOf(args)('GET /api/orders/')
}

export const handle = { title: () => 'Your Orders' }
