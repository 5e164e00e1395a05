import type { LoaderFunctionArgs } from 'react-router'
import { apiOf } from '#ui/api-client.ts'

/** A placeholder for a page of reviews; it exists only for listings that do. */
export async function loader(args: LoaderFunctionArgs) {
  await apiOf(args)('GET /api/products/:id', { params: { id: args.params.productId ?? '' } })
  return null
}

export const handle = { title: () => 'Reviews' }
