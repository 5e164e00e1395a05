import type { LoaderFunctionArgs } from 'react-router'
import { apiOf } from '#web/api.ts'
import type { ListingPage } from '../contract.ts'
import { PAGE_SIZE } from './pageSize.ts'

export function loader(args: LoaderFunctionArgs): Promise<ListingPage> {
  const cursor = new URL(args.request.url).searchParams.get('cursor') ?? undefined
  return apiOf(args)('GET /api/products/', { query: { limit: PAGE_SIZE, cursor } })
}
