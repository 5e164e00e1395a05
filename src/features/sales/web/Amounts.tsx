import { dollars } from '#money'
import type { SalesSums } from '../contract.ts'

type Sums = Pick<SalesSums, 'due' | 'paid' | 'refunded' | 'open'>

/** What is due and paid, and what is left for either side. */
export function Amounts({ of: { due, paid, refunded, open }, className }: { of: Sums; className: string }) {
  const amounts: [string, number][] = [
    ['Due', due],
    ['Paid', paid],
    ...(refunded > 0 ? [['Paid back', refunded] satisfies [string, number]] : []),
    open < 0 ? ['You owe', -open] : ['Still to be paid', open],
  ]
  return (
    <dl className={className}>
      {amounts.map(([name, amount]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{dollars(amount)}</dd>
        </div>
      ))}
    </dl>
  )
}
