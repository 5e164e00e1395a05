import { useUser } from '#accounts/web/session.ts'
import type { Picture } from '#images/web/Photo.tsx'
import { type Listing, MAX_PRICE } from '../contract.ts'
import { CardInside } from './ListingCard.tsx'
import type { FormValues } from './useFormValues.ts'

interface ListingPreviewProps {
  typed: FormValues
  /** The photo that was chosen. */
  chosen: Picture | undefined
  listing: Listing | undefined
}

/**
 * The card that shoppers will see, beside the form on wide screens. Silent: the form says all of it already.
 */
export function ListingPreview({ typed, chosen, listing }: ListingPreviewProps) {
  const user = useUser()
  return (
    <div className="preview" aria-hidden="true">
      <p className="hint">What shoppers will see</p>
      <div className="card">
        <CardInside
          name={typed.name.trim() || 'Your item'}
          price={priceOf(typed.price)}
          stock={stockOf(typed.stock)}
          rating={listing?.rating ?? null}
          review_count={listing?.review_count ?? 0}
          // A further photo comes after the others, and the card shows the first.
          image={listing?.images[0] ?? chosen}
          eager
        />
        <span className="card-maker">{`by ${listing?.seller ?? user?.username ?? 'you'}`}</span>
      </div>
    </div>
  )
}

/** Until there is a price that can be: $0.00. */
function priceOf(text: string): number {
  const price = Number(text)
  return price > 0 && price <= MAX_PRICE ? price : 0
}

/** Until there is a stock that can be: enough, so that the card has nothing to say about it. */
function stockOf(text: string): number {
  const stock = Number(text)
  return text.trim() !== '' && Number.isInteger(stock) && stock >= 0 ? stock : Number.POSITIVE_INFINITY
}
