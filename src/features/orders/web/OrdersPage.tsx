import { useLoaderData } from 'react-router'
import { OrderList } from './OrderList.tsx'
import type { loader } from './orders.route.ts'

export const Page = () => <OrderList {...useLoaderData<typeof loader>()} />
