import { dollars } from '#money'
import type { SalesSums } from '../contract.ts'

type Sums = Pick<SalesSums, 'due' | 'paid' | 'refunded' | 'open'> & Partial<Pick<SalesSums, 'owed'>>

/** What is due and paid, and what is left for either side. One order is open for one of them. */
export function Amounts({ of, className }: { of: Sums; className: string }) {
  const { due, paid, refunded, open, owed = Math.max(-open, 0) } = of
  const unpaid = open + owed
  const amounts: [string, number][] = [
    ['Due', due],
    ['Paid', paid],
    ...(refunded > 0 ? [['Paid back', refunded] satisfies [string, number]] : []),
    ...(unpaid > 0 || owed === 0 ? [['Still to be paid', unpaid] satisfies [string, number]] : []),
    ...(owed > 0 ? [['You owe', owed] satisfies [string, number]] : []),
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
