import type { SellerDetails } from '../contract.ts'
import './sell.css'

const names: [keyof SellerDetails, string][] = [
  ['name', 'Name'],
  ['address', 'Address'],
  ['email', 'Email'],
  ['phone', 'Phone'],
  ['register', 'Trade register'],
  ['vat_id', 'VAT number'],
  ['responsible_person', 'Responsible in the EU'],
]

/** Who sells, as the law asks. Nothing if they have not said. */
export function WhoSells({ details }: { details: SellerDetails | null }) {
  if (!details) return null
  return (
    <details className="who-sells">
      <summary className="link">Who sells this</summary>
      <p>
        {details.is_trader
          ? 'A business. It says that what it sells here is within the law of the European Union.'
          : 'A private person: the rights of consumers, such as to withdraw within 14 days, are not those of a purchase from a business.'}
      </p>
      <dl>
        {names
          .filter(([field]) => details[field] !== '')
          .map(([field, name]) => (
            <div key={field} className="row">
              <dt>{name}</dt>
              <dd dir="auto">{String(details[field])}</dd>
            </div>
          ))}
      </dl>
    </details>
  )
}
