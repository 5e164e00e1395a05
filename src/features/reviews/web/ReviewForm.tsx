import { Form, useActionData, useLocation } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { fieldErrors } from '#contract'
import type { FieldErrors } from '#problem'
import { Problems, SelectField, TextAreaField, useRules } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { type EditedReview, type NewReview, REVIEW_LENGTH } from '../contract.ts'
import { parseReview, type ReviewResult } from './parseReview.ts'
import { StarPicker } from './StarPicker.tsx'

interface Prefilled {
  review: string
  stars: number
}

/** Stars and text. `rule` is the schema whose messages apply. */
export function ReviewForm({
  rule,
  current,
}: {
  rule: typeof NewReview | typeof EditedReview
  current?: Prefilled | undefined
}) {
  const result = useActionData<ReviewResult>()
  const { state } = useLocation()
  const busy = useSending()
  const check = (form: FormData): FieldErrors | undefined => fieldErrors(rule, parseReview(form))
  const { errors, form } = useRules(check, result?.fields)
  const typed = result?.typed ?? { review: current?.review, stars: current && String(current.stars) }
  return (
    <Form method="post" state={state} preventScrollReset {...form}>
      <AccountField typed={result?.typed.account} />
      <Problems messages={result?.problems} />
      {result?.loginNeeded && <LoginNeeded />}
      <StarPicker>
        <SelectField label="Stars" name="stars" defaultValue={typed.stars ?? ''} error={errors.stars}>
          <option value="">Select stars</option>
          {[1, 2, 3, 4, 5].map(n => (
            <option key={n}>{n}</option>
          ))}
        </SelectField>
      </StarPicker>
      <TextAreaField
        label="What did you think of this product?"
        name="review"
        rows={6}
        defaultValue={typed.review}
        error={errors.review}
        hint={`${REVIEW_LENGTH.min} to ${REVIEW_LENGTH.max} characters`}
        limit={REVIEW_LENGTH.max}
      />
      <p className="actions">
        <SubmitButton busy={busy}>Leave Review</SubmitButton>
      </p>
    </Form>
  )
}
