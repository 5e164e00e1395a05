import { useLoaderData } from 'react-router'
import { OrderList } from './OrderList.tsx'
import type { loader } from './orders.route.ts'
import { ThankYou } from './ThankYou.tsx'

export function Page() {
  const { placed, ...page } = useLoaderData<typeof loader>()
  return (
    <OrderList {...page}>
      <ThankYou orders={placed} />
    </OrderList>
  )
}
