import { Link, useLoaderData } from 'react-router'
import { ListingForm } from './ListingForm.tsx'
import type { loader } from './newListing.route.ts'
import { useFormKey } from './unsaved-form.ts'

export function Page() {
  const { profiles, sections } = useLoaderData<typeof loader>()
  return (
    <section className="narrow with-preview">
      <p>
        <Link className="alone" to="/your-listings">
          Back to Your Listings
        </Link>
      </p>
      <h1>Tell us about your item and why we will love it</h1>
      <ListingForm
        key={useFormKey()}
        details={{ sections, saved: undefined }}
        delivery={{ profiles, saved: undefined }}
        submit="Add a listing"
      />
    </section>
  )
}
