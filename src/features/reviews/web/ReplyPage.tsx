import type { FormEvent } from 'react'
import { Form, Link, useActionData, useLoaderData, useLocation, useParams } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { fieldErrors } from '#contract'
import { DialogOrPage } from '#ui/DialogOrPage.tsx'
import { Problems, TextAreaField, useRules } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { HIDDEN_REPLY, REPLY_LENGTH, Reply, type Review } from '../contract.ts'
import { partIn } from './loadReviews.ts'
import type { ReviewResult } from './parseReview.ts'
import { type loader, replyOf } from './reply.route.ts'
import './reviews.css'

const check = (form: FormData) => fieldErrors(Reply, replyOf(form))

/** The form of a seller's public reply to a review. */
export function Page() {
  const review = useLoaderData<typeof loader>()
  return <ReplyForm key={review.id} to={review} />
}

function ReplyForm({ to: { first_name, last_name, review, reply } }: { to: Review }) {
  const result = useActionData<ReviewResult>()
  const { state, search } = useLocation()
  const busy = useSending()
  const back = `/products/${useParams().productId}${partIn(search)}`
  const { errors, form } = useRules(check, result?.fields)
  /** Deleting the reply does not validate the text. */
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    if ((submitter as HTMLButtonElement | null)?.value !== 'delete') form.onSubmit(event)
  }
  return (
    <DialogOrPage title={`Reply to ${first_name} ${last_name}`} back={back}>
      <blockquote className="review-text" dir="auto">
        {review}
      </blockquote>
      <Form method="post" state={state} preventScrollReset {...form} onSubmit={onSubmit}>
        <Problems messages={result?.problems} />
        {result?.loginNeeded && <LoginNeeded />}
        <TextAreaField
          label="Your reply, for everybody to read"
          name="reply"
          rows={4}
          hint={`At most ${REPLY_LENGTH} characters`}
          limit={REPLY_LENGTH}
          defaultValue={result?.typed.reply ?? reply ?? ''}
          error={errors.reply}
        />
        <p className="actions">
          <SubmitButton busy={busy}>Save reply</SubmitButton>
          {(reply !== null || result?.problems?.includes(HIDDEN_REPLY)) && (
            <SubmitButton className="button quiet" busy={busy} name="intent" value="delete">
              Delete reply
            </SubmitButton>
          )}
        </p>
      </Form>
      <p>
        <Link className="alone" to={back}>
          Back to the product
        </Link>
      </p>
    </DialogOrPage>
  )
}
