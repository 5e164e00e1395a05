import type { SellerDetails } from '#onboarding/contract.ts'
import type { ListingDetails } from '../details-contract.ts'

/** Who made a piece, and warnings (Regulation (EU) 2023/988, Article 19). Nothing where nobody says anything of it. */
export function ProductSafety({
  details: { safety, manufacturer },
  seller,
}: {
  details: ListingDetails
  seller: SellerDetails | null
}) {
  const warnings = safety || seller?.safety
  if (!warnings && !manufacturer) return null
  const maker = seller ? [seller.name, seller.address, seller.email].filter(Boolean).join('\n') : ''
  const facts = [
    ['Made by', manufacturer || maker],
    ['Responsible in the EU', manufacturer ? '' : seller?.responsible_person],
    ['Warnings and safety information', warnings],
  ]
  return (
    <section className="who-sells" aria-labelledby="product-safety">
      <h2 id="product-safety">Product safety</h2>
      <dl>
        {facts
          .filter(([, fact]) => fact)
          .map(([name, fact]) => (
            <div key={name} className="row">
              <dt>{name}</dt>
              <dd dir="auto">{fact}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
