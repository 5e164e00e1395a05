import { formatDate } from '#format-date'
import { dollars } from '#money'
import type { OrderDetail } from '../detail-contract.ts'

/** What is due, what the maker has recorded, and how to pay. */
export function Payment({ payment, words }: { payment: OrderDetail['payment']; words: string }) {
  const { due, paid, refunded, open, entries } = payment
  return (
    <>
      <dl className="amounts">
        <Amount name="Due" amount={due} />
        <Amount name="Paid" amount={paid} />
        {refunded > 0 && <Amount name="Paid back" amount={refunded} />}
        {open < 0 ? (
          <Amount name="The maker owes you" amount={-open} />
        ) : (
          <Amount name="Still to pay" amount={open} />
        )}
      </dl>
      {entries.length > 0 && (
        <ul className="payments">
          {entries.map(({ id, kind, amount, day, note }) => (
            <li key={id}>
              {`${kind === 'paid' ? 'Paid' : 'Paid back'} ${dollars(amount)} on ${formatDate(day)}`}
              {note && `: ${note}`}
            </li>
          ))}
        </ul>
      )}
      {words && (
        <>
          <h3>How to pay, in the maker’s words</h3>
          <p className="words" dir="auto">
            {words}
          </p>
        </>
      )}
      <p className="hint">The maker notes what was paid. The shop itself takes no payments.</p>
    </>
  )
}

const Amount = ({ name, amount }: { name: string; amount: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{dollars(amount)}</dd>
  </div>
)
