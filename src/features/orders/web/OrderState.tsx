import type { OrderDetail } from '../detail-contract.ts'
import { nextWords, stateWords } from './orderWords.ts'

/** The state of an order, and what comes next. */
export function State({ order }: { order: OrderDetail }) {
  const next = nextWords(order)
  return (
    <p className="order-state">
      <strong data-state={order.state}>{stateWords[order.state]}</strong>
      {next && <span>{next}</span>}
    </p>
  )
}
