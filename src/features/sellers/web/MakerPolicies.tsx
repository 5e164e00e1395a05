import type { ShopPage } from '../shop-page-contract.ts'
import './shop.css'

/** Headings of what a maker says, with the ids that links lead to. */
const headings = [
  ['returns', 'returns', 'Returns'],
  ['custom_orders', 'custom-orders', 'Custom orders'],
  ['care', 'care', 'Care'],
] as const

/** What a maker says of returns, custom orders and care. Nothing without words. */
export function MakerPolicies({ page }: { page: ShopPage }) {
  const said = headings.filter(([field]) => page[field] !== '')
  if (said.length === 0) return null
  return (
    <section className="maker-policies" aria-labelledby="policies">
      <h2 id="policies">In their own words</h2>
      {said.map(([field, id, heading]) => (
        <div key={field}>
          <h3 id={id}>{heading}</h3>
          <p dir="auto">{page[field]}</p>
        </div>
      ))}
    </section>
  )
}
