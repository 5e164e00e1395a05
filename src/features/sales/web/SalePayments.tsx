import { formatDate } from '#format-date'
import { dollars, twoDecimals } from '#money'
import { TextField } from '#ui/fields.tsx'
import { useLocalDay } from '#ui/use-local-day.ts'
import type { Sale } from '../contract.ts'
import { NOTE_LENGTH } from '../input-contract.ts'
import { Amounts } from './Amounts.tsx'
import { SaleForm, Undo } from './SaleForm.tsx'

/** What was paid outside of the shop, by the maker's own record. */
export function SalePayments({ payment, day }: Pick<Sale, 'payment' | 'day'>) {
  const today = useLocalDay(day)
  const { open, paid, refunded, entries } = payment
  return (
    <>
      <Amounts of={payment} className="amounts" />
      <ul className="payments">
        {entries.map(({ id, kind, amount, day, note, undo_until }) => (
          <li key={id}>
            <p dir="auto">
              {`${kind === 'paid' ? 'Paid' : 'Paid back'} ${dollars(amount)} on ${formatDate(day)}`}
              {note && `: ${note}`}
            </p>
            {undo_until && (
              <Undo
                about={id}
                until={undo_until}
                what={kind === 'paid' ? 'this payment' : 'this refund'}
                sendsLetter={kind === 'refunded'}
              />
            )}
          </li>
        ))}
      </ul>
      <SaleForm
        intent="paid"
        submit="Record a payment"
        {...(paid > refunded ? { other: { intent: 'refunded' as const, submit: 'Record a refund' } } : {})}
      >
        {({ errors, typed }) => (
          <>
            <div className="pair">
              <TextField
                label="Amount in dollars"
                name="amount"
                unit="$"
                inputMode="decimal"
                defaultValue={typed.amount ?? (open > 0 ? twoDecimals(open) : '')}
                error={errors.amount}
              />
              <TextField
                label="Day"
                name="day"
                type="date"
                max={today}
                defaultValue={typed.day ?? today}
                error={errors.day}
              />
            </div>
            <TextField
              label="Note"
              name="note"
              limit={NOTE_LENGTH}
              hint="The shopper can read it: by transfer, in cash"
              defaultValue={typed.note}
              error={errors.note}
            />
          </>
        )}
      </SaleForm>
      <p className="hint">The shop itself takes no payments: you note here what you got.</p>
    </>
  )
}
