import { Link, useLoaderData } from 'react-router'
import type { loader } from './editListing.route.ts'
import { ListingForm } from './ListingForm.tsx'
import { useFormKey } from './unsaved-form.ts'

export function Page() {
  const { listing, details, delivery } = useLoaderData<typeof loader>()
  const formKey = useFormKey()
  return (
    <section className="narrow with-preview">
      <p>
        <Link className="alone" to="/your-listings">
          Back to Your Listings
        </Link>
      </p>
      <h1>Update your product details</h1>
      {/* A key per listing: values typed for one must not be saved for another. */}
      <ListingForm
        key={formKey}
        listing={listing}
        details={details}
        delivery={delivery}
        submit="Update listing"
      />
    </section>
  )
}
