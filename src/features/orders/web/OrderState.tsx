import type { OrderDetail } from '../detail-contract.ts'
import { nextWords, stateWords, stepsOf } from './orderText.ts'

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

/** The steps of an order, and what comes next. */
export function Progress({ order }: { order: OrderDetail }) {
  const steps = stepsOf(order)
  const next = nextWords(order)
  if (steps.length === 0) return <State order={order} />
  return (
    <>
      <ol className="steps" aria-label="Where your order is">
        {steps.map(({ name, status }) => (
          <li key={name} className={status} aria-current={status === 'current' ? 'step' : undefined}>
            {name}
            {status === 'done' && <span className="visually-hidden">, done</span>}
          </li>
        ))}
      </ol>
      {next && <p>{next}</p>}
    </>
  )
}
