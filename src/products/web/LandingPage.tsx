import { Link, useLoaderData } from 'react-router'
import { useUser } from '#accounts/web/session.ts'
import { brand } from '#brand'
import type { ListingPage } from '../contract.ts'
import { CategoryStrip } from './CategoryStrip.tsx'
import { ListingGrid } from './ListingGrid.tsx'
import type { loader } from './landing.ts'
import { Photo } from './Photo.tsx'
import './landing.css'

export function Page() {
  const page = useLoaderData<typeof loader>()
  const user = useUser()
  return (
    <>
      <section className="hero">
        <div>
          <h1>Welcome to {brand.name}</h1>
          <p className="tagline">{brand.tagline}</p>
          {user && (
            <Link className="button" to="/products/new">
              + Add a product listing
            </Link>
          )}
        </div>
        <Bench listings={page.products} />
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

/** Which of the newest lie on the bench: not the very first, which stand right below. */
const ON_THE_BENCH = [5, 6, 4]

/** Three pieces beside the welcome, where there is room and enough to show. They are in the list as well. */
function Bench({ listings }: { listings: ListingPage['products'] }) {
  const pieces = ON_THE_BENCH.flatMap(index => listings[index] ?? []).filter(({ images }) => images[0]?.width)
  if (pieces.length < ON_THE_BENCH.length) return null
  return (
    <div className="bench" aria-hidden="true">
      {pieces.map(({ id, name, images }) => (
        <Photo key={id} image={images[0]} name={name} sizes="(min-width: 60rem) 18rem, 1px" silent />
      ))}
    </div>
  )
}
