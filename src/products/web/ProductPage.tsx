import { Link, useLoaderData, useOutlet } from 'react-router'
import { useUser } from '#accounts/web/session.ts'
import { AddToCart } from '#cart/web/AddToCart.tsx'
import { ReviewList } from '#reviews/web/ReviewList.tsx'
import { useIsDialog } from '#web/Dialog.tsx'
import { DocumentIcon } from '#web/icons.tsx'
import { StockNote } from './ListingCard.tsx'
import { Photo } from './Photo.tsx'
import { dollars } from './price.ts'
import type { loader } from './product.ts'
import './product.css'

/** The piece itself. Its review forms open over it, or stand alone when opened by their own address. */
export function Page() {
  const { listing, reviews } = useLoaderData<typeof loader>()
  const user = useUser()
  const form = useOutlet()
  const isDialog = useIsDialog()
  if (form && !isDialog) return form
  const { id, name, price, description, category, stock, seller, seller_id, images } = listing
  const [first, ...others] = images
  return (
    <>
      <article className="product">
        <div className="gallery">
          <Photo image={first} name={name} sizes="(min-width: 60rem) 36rem, 100vw" eager />
          {others.length > 0 && (
            <ul className="more-photos">
              {others.map((image, index) => (
                <li key={image.id}>
                  <Photo image={image} name={`${name}, view ${index + 2}`} sizes="12rem" />
                </li>
              ))}
            </ul>
          )}
          {images.map(
            image =>
              image.document && (
                <a className="document" key={image.id} href={image.document} download>
                  <DocumentIcon /> The document of this piece (pdf)
                </a>
              ),
          )}
        </div>
        <div className="about">
          <p className="category">{category}</p>
          <h1>{name}</h1>
          <p className="price">{dollars(price)}</p>
          <StockNote stock={stock} />
          <p className="description">{description}</p>
          <p className="maker">Made by {seller}</p>
          <AddToCart listing={listing} />
          {user?.id === seller_id && (
            <p>
              <Link to={`/products/${id}/edit`}>Edit this listing</Link>
            </p>
          )}
        </div>
      </article>
      <ReviewList productId={id} reviews={reviews} />
      {form}
    </>
  )
}
