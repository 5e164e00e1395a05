import { Form, Link, useActionData, useLoaderData, useLocation, useParams } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { DialogOrPage } from '#ui/DialogOrPage.tsx'
import { Problems } from '#ui/fields.tsx'
import type { Refusal } from '#ui/flash.ts'
import { LinkButton } from '#ui/LinkButton.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { NOTHING_TO_DELETE } from '../contract.ts'
import type { loader } from './editReview.route.ts'
import { partIn } from './loadReviews.ts'

export function Page() {
  const review = useLoaderData<typeof loader>()
  const result = useActionData<Refusal>()
  const { state, search } = useLocation()
  const busy = useSending()
  const back = `/products/${useParams().productId}${partIn(search)}`
  return (
    <DialogOrPage title="Are you sure you want to delete?" back={back}>
      <Problems messages={result?.problems} />
      {result?.loginNeeded && <LoginNeeded />}
      {review ? (
        <div className="actions">
          <Form method="post" state={state} preventScrollReset>
            <AccountField typed={result?.account} />
            <SubmitButton className="button danger" busy={busy}>
              Yes
            </SubmitButton>
          </Form>
          <LinkButton to={back} replace>
            No
          </LinkButton>
        </div>
      ) : (
        <p>
          {NOTHING_TO_DELETE}. <Link to={back}>Back to the product</Link>
        </p>
      )}
    </DialogOrPage>
  )
}
