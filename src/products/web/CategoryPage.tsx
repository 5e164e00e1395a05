import { useLoaderData } from 'react-router'
import { CategoryStrip } from './CategoryStrip.tsx'
import { wordsOf } from './categories.tsx'
import type { loader } from './category.ts'
import { ListingGrid } from './ListingGrid.tsx'
import './landing.css'

export function Page() {
  const { category, ...page } = useLoaderData<typeof loader>()
  return (
    <>
      <CategoryStrip />
      <h1>{category}</h1>
      <p className="sorted">{`${wordsOf(category)} Newest first.`}</p>
      <ListingGrid {...page} />
    </>
  )
}
