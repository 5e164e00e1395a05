import { useLoaderData } from 'react-router'
import { Browse } from '#search/web/Browse.tsx'
import { CategoryStrip } from '#search/web/CategoryStrip.tsx'
import { descriptionOf, type InCategory } from './category.route.ts'
import { NothingYet } from './NothingYet.tsx'

export function Page() {
  const { category, ...found } = useLoaderData<InCategory>()
  return (
    <>
      <CategoryStrip found={found} />
      <h1>{category}</h1>
      <p className="sorted">{descriptionOf(category)}</p>
      <Browse found={found} without="category" beside>
        <NothingYet />
      </Browse>
    </>
  )
}
