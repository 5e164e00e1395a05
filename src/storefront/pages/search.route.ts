import { data, type LoaderFunctionArgs } from 'react-router'
import { type Browsed, browse } from '#search/web/browse.ts'
import type { Handle } from '#ui/page-title.ts'

/** All listings with filters. An invalid query is a 400 with a message. */
export async function loader(args: LoaderFunctionArgs) {
  const found = await browse(args)
  return data(found, found.refused === undefined ? 200 : 400)
}

export const handle: Handle<Browsed> = {
  title: ({ query }) => (query.q === undefined ? 'All pieces' : `“${query.q}”`),
  description: ({ query }) =>
    query.q === undefined
      ? 'Everything that is for sale here, made by hand.'
      : `Handmade pieces for “${query.q}”.`,
}
