import { countryName } from '../countries.ts'
import { type AddressTexts, linesOf } from '../formats.ts'
import './addresses.css'

/** An address as it stands on a parcel, in the order of its country. Each line has the direction of its script. */
export const AddressLines = ({ address }: { address: AddressTexts }) => (
  <address className="address-lines" translate="no">
    {Object.entries(linesOf(address, countryName(address.country))).map(([row, line]) => (
      // A browser may know another name of the country than the server.
      <span key={row} dir="auto" suppressHydrationWarning>
        {line}
      </span>
    ))}
  </address>
)
