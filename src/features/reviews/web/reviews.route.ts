import type { LoaderFunctionArgs } from 'react-router'
import { apiOf } from '#ui/api-client.ts'

/** 404 unless the listing exists. */
export async function loader(args: LoaderFunctionArgs) {
  await apiOf(args)('GET /api/products/:id', { params: { id: args.params.productId ?? '' } })
  return null
}

export const handle = { title: () => 'Reviews' }
