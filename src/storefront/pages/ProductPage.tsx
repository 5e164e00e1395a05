import { Fragment, Suspense } from 'react'
import { Link, useLoaderData, useLocation, useOutlet, useSearchParams } from 'react-router'
import { MakerLink, shopPath } from '#accounts/web/MakerLink.tsx'
import { useUser } from '#accounts/web/session.ts'
import { AddToCart } from '#cart/web/AddToCart.tsx'
import { AskMaker } from '#messages/web/AskMaker.tsx'
import { WhoSells } from '#onboarding/web/WhoSells.tsx'
import { AwayNotice } from '#postage/web/AwayNotice.tsx'
import { ListingDelivery } from '#postage/web/ListingDelivery.tsx'
import { categoryPath } from '#products/categories.ts'
import type { Listing } from '#products/contract.ts'
import { listedPrice } from '#products/listed-price.ts'
import { AboutPiece } from '#products/web/AboutPiece.tsx'
import { Gallery } from '#products/web/Gallery.tsx'
import { Heart } from '#products/web/Heart.tsx'
import { LargePhoto } from '#products/web/LargePhoto.tsx'
import { ProductSafety } from '#products/web/ProductSafety.tsx'
import { RelatedListings } from '#products/web/RelatedListings.tsx'
import { ReviewList } from '#reviews/web/ReviewList.tsx'
import { Stars } from '#reviews/web/Stars.tsx'
import { MeetMaker } from '#sellers/web/MeetMaker.tsx'
import { useIsDialog } from '#ui/DialogOrPage.tsx'
import { Icon } from '#ui/icons.tsx'
import type { loader } from './product.route.ts'
import './product.css'

/** A listing. Its review forms open as dialogs over it, or as pages by their own address. */
export function Page() {
  const {
    listing,
    details,
    shop,
    seller: whoSells,
    theirs,
    shown,
    similar,
    postage,
    country,
  } = useLoaderData<typeof loader>()
  const user = useUser()
  const form = useOutlet()
  const isDialog = useIsDialog()
  const query = useSearchParams()[0]
  if (form && !isDialog) return form
  const { id, name, description, category, stock, seller, seller_id, images } = listing
  const canAsk = shop.takes_messages && user?.id !== seller_id
  const photo = Number(query.get('photo') ?? 1)
  if (query.has('large') && images[photo - 1]?.width)
    return <LargePhoto images={images} at={photo} name={name} />
  return (
    // What was typed and said on one piece is not of the next.
    <Fragment key={id}>
      <article className="product">
        <Gallery images={images} name={name} />
        <div className="about">
          <Link className="alone category" to={categoryPath(category)}>
            {category}
          </Link>
          <h1 dir="auto">{name}</h1>
          {details.title !== '' && details.title !== name && (
            <p className="whole-title" dir="auto">
              {details.title}
            </p>
          )}
          <p className="maker">
            {'Made by '}
            <MakerLink username={seller}>{listing.maker}</MakerLink>
          </p>
          <Rated listing={listing} />
          <p className="price">{listedPrice(listing)}</p>
          <p className="availability">{availabilityOf(stock, postage.made_to_order)}</p>
          {user?.id === seller_id && (
            <p className="actions">
              <Link className="button" to={`/products/${id}/edit`}>
                Edit this listing
              </Link>
            </p>
          )}
          {postage.away ? (
            <>
              <AwayNotice name={listing.maker_name} away={postage.away} />
              <Heart id={id} name={name} />
            </>
          ) : (
            <AddToCart listing={listing} details={details}>
              <Heart id={id} name={name} />
            </AddToCart>
          )}
          <ListingDelivery action={`/products/${id}`} postage={postage} country={country}>
            <li className="fact">
              <Icon d="M9 14l-4.5-4.5L9 5M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3" />
              <p>
                {shop.says_returns ? (
                  <Link className="alone" to={`${shopPath(seller)}#returns`}>
                    Returns: what the maker says
                  </Link>
                ) : canAsk ? (
                  <AskMaker username={seller} listing={id}>
                    Returns: ask the maker
                  </AskMaker>
                ) : (
                  'Returns: the maker does not say'
                )}
              </p>
            </li>
          </ListingDelivery>
          <p className="description" dir="auto">
            {description}
          </p>
        </div>
        <div className="details">
          <AboutPiece details={details} />
          <MeetMaker shop={shop} pieces={theirs}>
            {canAsk && (
              <AskMaker username={seller} listing={id}>
                Ask the maker
              </AskMaker>
            )}
          </MeetMaker>
          <WhoSells details={whoSells} />
          <ProductSafety details={details} seller={whoSells} />
          {user?.id !== seller_id && (
            <p>
              <Link className="alone quiet-link" to={`/report?listing=${id}`} rel="nofollow">
                Report this piece
              </Link>
            </p>
          )}
        </div>
      </article>
      {/* A Suspense boundary: hydrated after the listing itself. */}
      <Suspense>
        <ReviewList listing={listing} shown={shown} />
      </Suspense>
      <Suspense>
        <RelatedListings listing={listing} similar={similar} />
      </Suspense>
      {form}
    </Fragment>
  )
}

/** Mean and number of the reviews, which lead to them. Nothing without reviews. */
function Rated({ listing: { rating, review_count } }: { listing: Listing }) {
  const { search } = useLocation()
  if (rating === null) return null
  return (
    <p className="rated">
      <Link className="alone" to={`${search}#reviews`}>
        <Stars stars={rating} />
        <span aria-hidden="true">{rating.toFixed(1)}</span>
        <span>{review_count === 1 ? '1 review' : `${review_count} reviews`}</span>
      </Link>
    </p>
  )
}

/** 'Made to order', '7 in stock'. The last one is called so in both cases. */
function availabilityOf(stock: number, isMadeToOrder: boolean): string {
  if (stock === 0) return 'Sold out'
  if (stock === 1) return isMadeToOrder ? 'Made to order, last one' : 'Last one'
  return isMadeToOrder ? 'Made to order' : `${stock} in stock`
}
