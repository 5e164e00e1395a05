import { Link, useLoaderData } from 'react-router'
import { useUser } from '#accounts/web/session.ts'
import { brand } from '#brand'
import { CategoryStrip } from './CategoryStrip.tsx'
import { ListingGrid } from './ListingGrid.tsx'
import type { loader } from './landing.ts'
import './landing.css'

export function Page() {
  const page = useLoaderData<typeof loader>()
  const user = useUser()
  return (
    <>
      <section className="hero">
        <h1>Welcome to {brand.name}</h1>
        <p className="tagline">{brand.tagline}</p>
        {user && (
          <Link className="button" to="/products/new">
            + Add a product listing
          </Link>
        )}
      </section>
      <CategoryStrip />
      <section aria-labelledby="newest">
        <h2 id="newest">Fresh from the workbench</h2>
        <p className="sorted">Newest first. Nobody pays to stand higher.</p>
        <ListingGrid {...page} />
      </section>
    </>
  )
}
