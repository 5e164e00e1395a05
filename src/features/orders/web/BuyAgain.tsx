import { Form, useNavigation } from 'react-router'
import { answersText } from '#products/answer-rules.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import type { AgainLine } from '../own-contract.ts'

/** Puts the pieces of an order into the cart. Its action is that of the order's page. */
export function BuyAgain({ id }: { id: number }) {
  const action = `/orders/${id}`
  const { formAction, formData } = useNavigation()
  return (
    <Form method="post" action={action}>
      <SubmitButton
        className="button quiet"
        busy={formAction === action && formData?.get('intent') === 'again'}
        name="intent"
        value="again"
        aria-label={`Buy again, order #${id}`}
      >
        Buy again
      </SubmitButton>
    </Form>
  )
}

/** What could not be put into the cart, and why. */
export function NotAgain({ lines }: { lines: AgainLine[] }) {
  const held = lines.filter(({ in_cart }) => in_cart > 0)
  return (
    <>
      {held.length > 0 && (
        <p>{`Your cart has ${held.map(({ name, in_cart }) => `${in_cart} × ${name}`).join(', ')}.`}</p>
      )}
      <p>{held.length > 0 ? 'Not everything fits:' : 'Nothing was put into your cart:'}</p>
      <ul>
        {lines.map(
          ({ id, answers = [], reason }) =>
            reason !== null && <li key={`${id} ${answersText(answers)}`}>{reason}</li>,
        )}
      </ul>
    </>
  )
}
