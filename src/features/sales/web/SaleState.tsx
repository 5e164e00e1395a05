import type { DeliveryState } from '#orders/detail-contract.ts'
import { stateWords } from '#orders/web/orderText.ts'

interface SaleStateProps {
  state: DeliveryState
  todo: string
  late: boolean
}

/** The state of an order, and what its maker does next. */
export const SaleState = ({ state, todo, late }: SaleStateProps) => (
  <p className="order-state">
    <strong data-state={state}>{state === 'open' ? 'Open' : stateWords[state]}</strong>
    {todo && <span className={late ? 'todo late' : 'todo'}>{todo}</span>}
  </p>
)
