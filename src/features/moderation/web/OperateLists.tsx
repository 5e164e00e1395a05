import { MakerLink } from '#accounts/web/MakerLink.tsx'
import { MakerName } from '#accounts/web/MakerName.tsx'
import { formatDate, formatMoment } from '#format-date'
import type { Operator } from '#operators/contract.ts'
import { totalWords } from '#orders/web/orderText.ts'
import { AnswerList } from '#products/web/AnswerList.tsx'
import type { Sale } from '#sales/contract.ts'
import { TextField } from '#ui/fields.tsx'
import type { ListingRow, OrderRow, PersonRow, ReviewRow } from '../rows-contract.ts'
import { ListingItem } from './OperateListing.tsx'
import { LOGGED, PersonItem, ReplyItem, ReviewItem } from './OperateRows.tsx'
import { List, Search } from './OperateSearch.tsx'
import type { OperateResult } from './operate.route.ts'
import { ReasonForm } from './ReasonForm.tsx'

interface Rows<R> {
  rows: R[]
  result: OperateResult | undefined
}

export const ListingList = ({ rows, result }: Rows<ListingRow>) => (
  <>
    <Search
      part="listings"
      label="Words of a listing, its number, or its maker"
      flag={['hidden', 'Only hidden ones']}
    />
    <List rows={rows}>{row => <ListingItem listing={row} result={result} />}</List>
  </>
)

export const ReviewList = ({ rows, result }: Rows<ReviewRow>) => (
  <>
    <Search
      part="reviews"
      label="Words of a review or of the reply, its number, or its author"
      flag={['hidden', 'Only hidden ones']}
    />
    <List rows={rows}>
      {row => (
        <>
          <ReviewItem review={row} result={result} />
          {row.reply && <ReplyItem review={row} result={result} />}
        </>
      )}
    </List>
  </>
)

export const PersonList = ({ rows, result }: Rows<PersonRow>) => (
  <>
    <Search part="people" label="Name, shop or email address" flag={['suspended', 'Only suspended ones']} />
    <List rows={rows}>{row => <PersonItem person={row} result={result} />}</List>
  </>
)

export const OrderList = ({ rows, result }: Rows<OrderRow>) => (
  <>
    <Search
      part="orders"
      label="Number of an order, or a name, email address or state"
      flag={['late', 'Only late ones']}
    />
    <List rows={rows}>
      {({ id, created_at, state, maker, maker_suspended, shopper, total, due, late }) => (
        <>
          <h2>{`Order ${id}: ${totalWords(total, due)}`}</h2>
          <p className="when">
            {`${formatMoment(created_at)}. ${state}.${late ? ' Late.' : ''} From `}
            {maker === null ? (
              'a deleted account'
            ) : (
              <MakerName username={maker} suspended={maker_suspended} />
            )}
            {` to ${shopper ?? 'a deleted account'}.`}
          </p>
          {result?.sale?.id === id ? (
            <OpenedOrder sale={result.sale} />
          ) : (
            <ReasonForm
              intent="open-order"
              id={id}
              label="Open with its address"
              about={`order ${id}`}
              hint={LOGGED}
              result={result}
            />
          )}
        </>
      )}
    </List>
  </>
)

function OpenedOrder({ sale }: { sale: Sale }) {
  const { lines, address, pickup, shopper, note } = sale
  const place = address
    ? [
        ...[address.name, address.line1, address.line2],
        ...[`${address.postal_code} ${address.city}`, address.region, address.country],
      ]
    : [pickup ? `To collect at ${pickup.place}` : 'Without an address']
  return (
    <div className="quoted" dir="auto">
      <p>{`Ordered by ${shopper || 'a deleted account'}`}</p>
      <ul>
        {lines.map(({ id, line, name, quantity, answers }) => (
          <li key={`${id} ${line}`}>
            {`${quantity} × ${name}`}
            <AnswerList answers={answers} />
          </li>
        ))}
      </ul>
      <address>
        {place.filter(Boolean).map(part => (
          <span key={part}>{part}</span>
        ))}
      </address>
      {note && <p>{`Note: ${note}`}</p>}
    </div>
  )
}

export function OperatorList({
  operators,
  result,
}: {
  operators: Operator[]
  result: OperateResult | undefined
}) {
  const mine = result?.intent === 'add-operator' && !result.done ? result : undefined
  return (
    <>
      <List rows={operators}>
        {({ id, name, username, email, added_at, has_passkey }) => (
          <>
            <h2 dir="auto">{name}</h2>
            <p className="when">
              <MakerLink username={username} />
              {`, ${email}, since ${formatDate(added_at)}. ${has_passkey ? 'Has a passkey.' : 'Has no passkey.'}`}
            </p>
            {operators.length > 1 && (
              <ReasonForm
                intent="remove-operator"
                id={id}
                label="Remove"
                about={name}
                hint={LOGGED}
                result={result}
              />
            )}
          </>
        )}
      </List>
      <section aria-labelledby="another">
        <h2 id="another">Name another one</h2>
        <p>They have an account already, and can then do all that you can.</p>
        <ReasonForm
          intent="add-operator"
          id={0}
          label="Name an operator"
          about="by their email address"
          hint={LOGGED}
          result={result}
        >
          {errors => (
            <TextField
              label="Their email address"
              name="email"
              type="email"
              error={errors.email}
              defaultValue={mine?.typed?.email}
            />
          )}
        </ReasonForm>
      </section>
    </>
  )
}
