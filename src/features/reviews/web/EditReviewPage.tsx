import { Link, useActionData, useLoaderData, useLocation, useParams } from 'react-router'
import { DialogOrPage } from '#ui/DialogOrPage.tsx'
import { EditedReview, HIDDEN_REVIEW, NOTHING_TO_EDIT } from '../contract.ts'
import type { loader } from './editReview.route.ts'
import { partIn } from './loadReviews.ts'
import { ReviewForm } from './ReviewForm.tsx'

export function Page() {
  const review = useLoaderData<typeof loader>()
  const typed = useActionData() !== undefined
  const { search } = useLocation()
  const back = `/products/${useParams().productId}${partIn(search)}`
  return (
    <DialogOrPage title="Edit your review" back={back}>
      {typed || (review && !review.hidden) ? (
        <ReviewForm key={back} rule={EditedReview} current={review ?? undefined} />
      ) : (
        <p>{review ? HIDDEN_REVIEW : NOTHING_TO_EDIT}</p>
      )}
      <p>
        <Link className="alone" to={back}>
          Back to the product
        </Link>
      </p>
    </DialogOrPage>
  )
}
