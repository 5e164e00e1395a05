import type { LoaderFunctionArgs } from 'react-router'
import { Problem } from '#problem'
import { apiOf } from '#web/api.ts'
import type { Handle } from '#web/head.ts'
import { categoryOf, wordsOf } from './categories.tsx'
import { PAGE_SIZE } from './pageSize.ts'

/** The listings of one category. @throws Problem 404 for an address that names none */
export async function loader(args: LoaderFunctionArgs) {
  const category = categoryOf(args.params.slug)
  if (!category) throw new Problem(404, 'There is no such category')
  const cursor = new URL(args.request.url).searchParams.get('cursor') ?? undefined
  const page = await apiOf(args)('GET /api/products/', { query: { category, limit: PAGE_SIZE, cursor } })
  return { category, ...page }
}

export const handle: Handle<Awaited<ReturnType<typeof loader>>> = {
  title: ({ category }) => category,
  description: ({ category }) => `${category}, made by hand. ${wordsOf(category)}`,
}
