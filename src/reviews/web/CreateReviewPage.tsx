import { Link, useParams } from 'react-router'
import { NewReview } from '../contract.ts'
import { ReviewForm } from './ReviewForm.tsx'

export function Page() {
  const { productId } = useParams()
  return (
    <section className="narrow">
      <h1>Leave a review</h1>
      <ReviewForm rule={NewReview} />
      <p>
        <Link to={`/products/${productId}`}>Back to the product</Link>
      </p>
    </section>
  )
}
