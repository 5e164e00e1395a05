import { useUser } from '#accounts/web/session.ts'
import type { Image } from '#images/contract.ts'
import { newPhoto } from '#images/web/photo-fields.ts'
import { usePicture } from '#images/web/usePicture.ts'
import { decimalIn, numberIn } from '#text'
import { type Listing, MAX_PRICE } from '../contract.ts'
import { CardInside } from './ListingCard.tsx'
import type { FormValues } from './useFormValues.ts'

interface ListingPreviewProps {
  values: FormValues
  images: Image[]
  listing: Listing | undefined
}

/** Preview of the card beside the form on wide screens. Hidden from screen readers, since the form has the same content. */
export function ListingPreview({ values, images, listing }: ListingPreviewProps) {
  const user = useUser()
  const { cover, files = [] } = values
  // Before hydration nothing is known of the form.
  const stored = values.files ? images.find(({ id }) => String(id) === cover) : images[0]
  const chosen = usePicture(files.find((_, index) => newPhoto(index) === cover))
  return (
    <div className="preview" aria-hidden="true">
      <p className="hint">What shoppers will see</p>
      <div className="card">
        <CardInside
          name={values.name.trim() || 'Your item'}
          price={priceOf(values.price)}
          price_varies={values.price_varies}
          stock={stockOf(values.stock)}
          rating={listing?.rating ?? null}
          review_count={listing?.review_count ?? 0}
          image={stored ?? chosen}
          eager
        />
        <span className="card-maker">{`by ${listing?.maker ?? user?.username ?? 'you'}`}</span>
      </div>
    </div>
  )
}

/** $0.00 until the price is valid. */
function priceOf(text: string): number {
  const price = decimalIn(text)
  return price > 0 && price <= MAX_PRICE ? price : 0
}

/** Until the stock is valid: enough, so that the card shows no note. */
function stockOf(text: string): number {
  const stock = numberIn(text)
  return Number.isInteger(stock) && stock >= 0 ? stock : Number.POSITIVE_INFINITY
}
