import { useLoaderData } from 'react-router'
import { Browse } from './Browse.tsx'
import type { Browsed } from './browse.ts'
import { CategoryStrip } from './CategoryStrip.tsx'
import { NothingYet } from './NothingYet.tsx'
import { SearchBox } from './SearchBox.tsx'

export function Page() {
  const found = useLoaderData<Browsed>()
  const { q } = found.query
  return (
    <>
      <SearchBox place="page" />
      <h1 dir="auto">{q === undefined ? 'All pieces' : `“${q}”`}</h1>
      <CategoryStrip found={found} compact />
      <Browse found={found}>
        <NothingYet />
      </Browse>
    </>
  )
}
