import { useLoaderData } from 'react-router'
import { Browse } from '#search/web/Browse.tsx'
import type { Browsed } from '#search/web/browse.ts'
import { CategoryStrip } from '#search/web/CategoryStrip.tsx'
import { SearchBox } from '#search/web/SearchBox.tsx'
import { NothingYet } from './NothingYet.tsx'

export function Page() {
  const found = useLoaderData<Browsed>()
  const { q } = found.query
  return (
    <>
      <SearchBox place="page" />
      <h1 dir="auto">{q === undefined ? 'All pieces' : `“${q}”`}</h1>
      <CategoryStrip found={found} compact />
      <Browse found={found} without="q" beside>
        <NothingYet />
      </Browse>
    </>
  )
}
