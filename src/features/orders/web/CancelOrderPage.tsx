import type { MouseEvent } from 'react'
import { Form, Link, useActionData, useLoaderData, useLocation, useNavigate } from 'react-router'
import { DialogOrPage, useIsDialog } from '#ui/DialogOrPage.tsx'
import { Problems } from '#ui/fields.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { pageCursorIn } from '#ui/page-cursor.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { NOT_PENDING } from '../contract.ts'
import type { loader } from './cancelOrder.route.ts'
import { OrderList } from './OrderList.tsx'

/** Requests confirmation, as a dialog over the list if opened from there. */
export function Page() {
  const { order, ...page } = useLoaderData<typeof loader>()
  const result = useActionData<{ problems: string[] }>()
  const back = useBack()
  return (
    <>
      {useIsDialog() && <OrderList {...page} />}
      <DialogOrPage title="Are you sure you want to cancel?" back={back}>
        <Problems messages={result?.problems} />
        {order ? <Answers /> : <Nothing submitted={result !== undefined} />}
      </DialogOrPage>
    </>
  )
}

/** The page of orders that the dialog was opened from. */
const useBack = () => `/orders/view${pageCursorIn(useLocation().search)}`

/** Delay before No closes the dialog, ms. */
const NO_DELAY_MS = 100

function Answers() {
  const { state } = useLocation()
  const back = useBack()
  const navigate = useNavigate()
  const busy = useSending()
  const keepOrder = (event: MouseEvent) => {
    event.preventDefault()
    setTimeout(() => navigate(back, { replace: true, preventScrollReset: true }), NO_DELAY_MS)
  }
  return (
    <div className="actions">
      <LinkButton to={back} onClick={keepOrder}>
        No (Keep Order)
      </LinkButton>
      <Form method="post" state={state} preventScrollReset>
        <SubmitButton className="button danger" busy={busy}>
          Yes
        </SubmitButton>
      </Form>
    </div>
  )
}

const Nothing = ({ submitted }: { submitted: boolean }) => (
  <p>
    {submitted ? '' : `${NOT_PENDING}. `}
    <Link to="/orders/view">Back to your orders</Link>
  </p>
)
