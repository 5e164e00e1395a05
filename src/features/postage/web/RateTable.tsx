import type { Rate } from '../contract.ts'
import { daysText, destinationName, priceText } from '../postage-text.ts'
import './postage.css'

/** The rates of a profile. Browsers may know other names of countries than the server. */
export const RateTable = ({ rates }: { rates: Rate[] }) => (
  <table className="rates">
    <thead>
      <tr>
        <th scope="col">To</th>
        <th scope="col">First piece</th>
        <th scope="col">Each further</th>
        <th scope="col">On its way</th>
      </tr>
    </thead>
    <tbody>
      {rates.map(({ destination, first, further, days_min, days_max }) => (
        <tr key={destination}>
          <th scope="row" suppressHydrationWarning>
            {destinationName(destination)}
          </th>
          <td>{priceText(first)}</td>
          <td>{priceText(further)}</td>
          <td>{daysText(days_min, days_max)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
