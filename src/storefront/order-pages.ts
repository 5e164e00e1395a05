/**
 * Pages of orders and messages, for their shoppers and makers, by their paths. They are in one file: the first load
 * of the shop has the name of every file of pages.
 */
import { Page as DirectPage } from '#messages/web/DirectPage.tsx'
import * as direct from '#messages/web/direct.route.ts'
import { Page as MessagesPage } from '#messages/web/MessagesPage.tsx'
import * as messages from '#messages/web/messages.route.ts'
import { Page as WritePage } from '#messages/web/WritePage.tsx'
import * as write from '#messages/web/write.route.ts'
import { Page as AllPage } from '#orders/web/AllOrdersPage.tsx'
import * as all from '#orders/web/allOrders.route.ts'
import { Page as CancelPage } from '#orders/web/CancelOrderPage.tsx'
import * as cancel from '#orders/web/cancelOrder.route.ts'
import { Page as PendingPage } from '#orders/web/OrdersPage.tsx'
import * as pending from '#orders/web/orders.route.ts'
import { Page as SalePage } from '#sales/web/SalePage.tsx'
import { Page as SlipPage } from '#sales/web/SlipPage.tsx'
import { Page as SoldPage } from '#sales/web/SoldPage.tsx'
import * as sale from '#sales/web/sale.route.ts'
import * as slip from '#sales/web/slip.route.ts'
import * as sold from '#sales/web/sold.route.ts'
import { pageOf } from './lazy-pages.ts'
import { Page as OrderPage } from './pages/OrderPage.tsx'
import * as order from './pages/order.route.ts'

/** Path → page. */
export const pages = {
  'orders/view': pageOf(pending, PendingPage),
  'orders/:orderId/delete-order': pageOf(cancel, CancelPage),
  orders: pageOf(all, AllPage),
  'orders/:orderId': pageOf(order, OrderPage),
  sold: pageOf(sold, SoldPage),
  'sold/:orderId': pageOf(sale, SalePage),
  'sold/:orderId/slip': pageOf(slip, SlipPage),
  messages: pageOf(messages, MessagesPage),
  'messages/to/:username': pageOf(write, WritePage),
  'messages/:conversationId': pageOf(direct, DirectPage),
}
