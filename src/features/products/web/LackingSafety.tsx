import { Link } from 'react-router'
import type { LackingSafety as Lacking } from '../contract.ts'

/** Tells a maker which listings lack what operators require since they were added. Nothing if none does. */
export function LackingSafety({ lacking: { count, first } }: { lacking: Lacking }) {
  if (count === 0) return null
  return (
    <section className="lacking-safety" aria-labelledby="lacking-safety">
      <h2 id="lacking-safety">Product safety</h2>
      <p>
        {count === 1
          ? '1 listing does not say who made it, or has no warnings and safety information.'
          : `${count} listings do not say who made them, or have no warnings and safety information.`}
        {' They stay for sale. Add it to each of them, or for all in your '}
        <Link to="/settings/seller">seller details</Link>:
      </p>
      <ul>
        {first.map(({ id, name }) => (
          <li key={id}>
            <Link className="alone" to={`/products/${id}/edit`} dir="auto">
              {name}
            </Link>
          </li>
        ))}
        {count > first.length && <li>{`and ${count - first.length} more`}</li>}
      </ul>
    </section>
  )
}
