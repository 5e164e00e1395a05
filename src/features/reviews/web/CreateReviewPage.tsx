import { Link, useLoaderData } from 'react-router'
import { useImageError } from '#ui/use-image-error.ts'
import { NewReview } from '../contract.ts'
import type { loader } from './createReview.route.ts'
import { ReviewForm } from './ReviewForm.tsx'
import './reviews.css'

export function Page() {
  const { id, name, image } = useLoaderData<typeof loader>()
  const { broken, watched } = useImageError(image?.url)
  const back = `/products/${id}`
  return (
    <section className="narrow">
      <h1>Leave a review</h1>
      <p className="reviewed">
        {image && !broken && (
          <span className="photo">
            <img {...watched} src={image.url} srcSet={image.srcset || undefined} sizes="6rem" alt="" />
          </span>
        )}
        <Link className="alone" to={back} dir="auto">
          {name}
        </Link>
      </p>
      <ReviewForm key={back} rule={NewReview} />
      <p>
        <Link className="alone" to={back}>
          Back to the product
        </Link>
      </p>
    </section>
  )
}
