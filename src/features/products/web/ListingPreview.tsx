import { useUser } from '#accounts/web/session.ts'
import type { Picture } from '#images/web/Photo.tsx'
import { type Listing, MAX_PRICE } from '../contract.ts'
import { CardInside } from './ListingCard.tsx'
import type { FormValues } from './useFormValues.ts'

interface ListingPreviewProps {
  typed: FormValues
  /** The chosen photo. */
  chosen: Picture | undefined
  listing: Listing | undefined
}

/** Preview of the card beside the form on wide screens. Hidden from screen readers, since the form has the same content. */
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
          // A card shows the first photo; a further one comes last.
          image={listing?.images[0] ?? chosen}
          eager
        />
        <span className="card-maker">{`by ${listing?.seller ?? user?.username ?? 'you'}`}</span>
      </div>
    </div>
  )
}

/** $0.00 until the price is valid. */
function priceOf(text: string): number {
  const price = Number(text)
  return price > 0 && price <= MAX_PRICE ? price : 0
}

/** Until the stock is valid: enough, so that the card shows no note. */
function stockOf(text: string): number {
  const stock = Number(text)
  return text.trim() !== '' && Number.isInteger(stock) && stock >= 0 ? stock : Number.POSITIVE_INFINITY
}
