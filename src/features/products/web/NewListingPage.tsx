import { Link } from 'react-router'
import { useFormKey } from './draft.ts'
import { ListingForm } from './ListingForm.tsx'

export const Page = () => (
  <section className="narrow with-preview">
    <p>
      <Link className="alone" to="/your-listings">
        Back to Your Listings
      </Link>
    </p>
    <h1>Tell us about your item and why we will love it</h1>
    <ListingForm key={useFormKey()} submit="Add a listing" />
  </section>
)
