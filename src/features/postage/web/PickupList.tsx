import type { PickupPlace } from '../contract.ts'
import './postage.css'

/** Where pieces can be collected. */
export const PickupList = ({ places }: { places: PickupPlace[] }) => (
  <ul className="pickup-places">
    {places.map(({ id, place, hours }) => (
      <li key={id}>
        <span dir="auto">{place}</span>
        {hours && (
          <span className="hours" dir="auto">
            {hours}
          </span>
        )}
      </li>
    ))}
  </ul>
)
