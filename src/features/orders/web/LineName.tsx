import { Link } from 'react-router'

/** The name of what was ordered, which leads to its page, if it has one still. */
export const LineName = ({
  line: { id, name, gone },
}: {
  line: { id: number; name: string; gone?: true | undefined }
}) =>
  gone ? (
    <bdi>{name}</bdi>
  ) : (
    <Link to={`/products/${id}`} dir="auto">
      {name}
    </Link>
  )
