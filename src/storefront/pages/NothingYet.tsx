import { Link } from 'react-router'
import { Empty } from '#ui/Empty.tsx'

/** A shop or category without listings. */
export const NothingYet = () => (
  <Empty drawing="stall" text="Nothing is for sale here yet.">
    <Link className="button quiet" to="/products/new">
      Add the first listing
    </Link>
  </Empty>
)
