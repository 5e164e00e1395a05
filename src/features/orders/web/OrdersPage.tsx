import { useLoaderData } from 'react-router'
import { useFlash } from '#ui/flash.ts'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { OrderList } from './OrderList.tsx'
import { CANCELLED, type loader } from './orders.route.ts'
import { ThankYou } from './ThankYou.tsx'

const DONE = { [CANCELLED]: { done: 'The order is cancelled. Its maker has been told' } }

export function Page() {
  const { placed, ...page } = useLoaderData<typeof loader>()
  const message = useFlash(DONE)
  const status = useFocusOnResult<HTMLParagraphElement>(message)
  return (
    <OrderList {...page}>
      <p className="success" role="status" tabIndex={-1} ref={status}>
        {message?.done}
      </p>
      {!message && <ThankYou orders={placed} />}
    </OrderList>
  )
}
