import { useId } from 'react'
import { MakerLink } from '#accounts/web/MakerLink.tsx'
import type { Address } from '#addresses/contract.ts'
import { CartItem } from '#cart/web/CartItem.tsx'
import { dollars } from '#money'
import { MakerPicture } from '#products/web/MakerPicture.tsx'
import { DeliveryChoice } from './DeliveryChoice.tsx'
import { type SellerGroup, sumsOf } from './sellerGroups.ts'

/** Where the focus goes if the pieces of a maker cannot be ordered. */
export const refusalId = (seller: number): string => `refusal-${seller}`

interface MakerBlockProps {
  block: SellerGroup
  /** Nothing to choose in the whole cart: then the block looks like a list. */
  plain: boolean
  /** The only maker of the cart: its sums are those of the cart. */
  alone: boolean
  address: Address | null
  /** The note as it was typed, if it could not be saved. */
  note: string | undefined
}

/** The pieces of one maker, how they arrive, and what they cost. */
export function MakerBlock({ block, plain, alone, address, note }: MakerBlockProps) {
  const id = useId()
  const { part, lines } = block
  const { seller, refusal } = part
  const isShared = lines.every(({ product }) => product?.refusal === refusal)
  const content = (
    <>
      <ul className="cart-lines">
        {lines.map(line => (
          <CartItem key={line.id} line={line} lines={lines} refusal={isShared ? refusal : null} />
        ))}
      </ul>
      {refusal !== null && (
        <p className="problems refusal" id={refusalId(seller.id)} tabIndex={-1} role="status">
          {refusal}
        </p>
      )}
      <DeliveryChoice part={part} plain={plain} address={address} note={note} />
      {!alone && <BlockSums block={block} />}
    </>
  )
  if (plain) return <div className="cart-maker plain">{content}</div>
  return (
    <section className="cart-maker" aria-labelledby={id}>
      <h2 id={id}>
        <MakerPicture maker={seller.name} maker_picture={seller.picture} />
        {'From '}
        <MakerLink username={seller.username}>{seller.name}</MakerLink>
      </h2>
      {content}
    </section>
  )
}

function BlockSums({ block }: { block: SellerGroup }) {
  const { pieces, postage, total } = sumsOf([block])
  return (
    <div className="maker-sums">
      {postage > 0 && (
        <>
          <p>{`Pieces: ${dollars(pieces)}`}</p>
          <p>{`Postage: ${dollars(postage)}`}</p>
        </>
      )}
      <p>{`Sub-total: ${dollars(total)}`}</p>
    </div>
  )
}
