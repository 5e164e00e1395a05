import { Link, useLoaderData } from 'react-router'
import { Problems } from '#web/fields.tsx'
import type { loader } from './editListing.ts'
import { ListingForm } from './ListingForm.tsx'

export function Page() {
  const listing = useLoaderData<typeof loader>()
  return (
    <section className="narrow">
      <p>
        <Link to="/your-listings">Back to Your Listings</Link>
      </p>
      <h1>Update your product details</h1>
      <ListingForm listing={listing} submit="Update listing">
        {errors => <Problems messages={Object.values(errors)} />}
      </ListingForm>
    </section>
  )
}
