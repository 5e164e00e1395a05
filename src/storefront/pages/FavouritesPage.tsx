import { useEffect, useRef } from 'react'
import { Link, useLoaderData } from 'react-router'
import { ListingGrid } from '#products/web/ListingGrid.tsx'
import { Empty } from '#ui/Empty.tsx'
import type { loader } from './favourites.route.ts'

export function Page() {
  const { products, next_cursor, saved, refusal } = useLoaderData<typeof loader>()
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(products)
  // An emptied heart is removed with its card, and the focus with it.
  useEffect(() => {
    const isGone = shown.current.some(({ id }) => !products.some(product => product.id === id))
    shown.current = products
    if (isGone && document.activeElement === document.body) heading.current?.focus()
  }, [products])
  return (
    <section>
      <h1 ref={heading} tabIndex={-1}>
        Favorites
      </h1>
      <div role="status">
        {saved && !refusal && <p className="success">{`${saved} is saved to your favorites`}</p>}
        {refusal && <p className="error">{refusal}</p>}
      </div>
      {products.length === 0 ? (
        <Empty drawing="stitches" text="Nothing saved yet">
          <Link className="button quiet" to="/">
            See what makers have made
          </Link>
        </Empty>
      ) : (
        <>
          <p className="sorted">The last saved first. Nobody but you sees this page.</p>
          <ListingGrid products={products} next_cursor={next_cursor} />
        </>
      )}
    </section>
  )
}
