import { Form, Link, useActionData, useLoaderData, useLocation } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { formatDate } from '#format-date'
import { dollars } from '#money'
import { piecesWords, totalWords } from '#orders/web/orderText.ts'
import { Empty } from '#ui/Empty.tsx'
import { FormResult } from '#ui/FormResult.tsx'
import { SelectField, TextField } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { Paging } from '#ui/Paging.tsx'
import { pageCursorIn } from '#ui/page-cursor.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import type { ListedSale, SaleFilter, SalesSums } from '../contract.ts'
import { Amounts } from './Amounts.tsx'
import { SaleState } from './SaleState.tsx'
import { SalesExport } from './SalesExport.tsx'
import { shopperWords, todoWords } from './saleText.ts'
import { DONE, type loader, type SoldResult } from './sold.route.ts'
import '#orders/web/ownOrder.css'
import '#ui/figures.css'
import './sales.css'

/** What the user has sold, and what is to do. */
export function Page() {
  const { sales, next_cursor, isGone, sums, filter } = useLoaderData<typeof loader>()
  const isFiltered = filter.state !== '' || filter.search !== ''
  const hasSold = sales.length > 0 || isFiltered
  const flash = useFlash<SoldResult>(DONE)
  const result = useActionData<SoldResult>() ?? flash
  return (
    <section className="sold">
      <h1>Sold</h1>
      {sums.orders > 0 && <Sums sums={sums} />}
      {hasSold && <Filters />}
      {/* Not in the list: what was marked may have left it. */}
      <FormResult result={result} problems={problemsOf(result)} />
      {result?.loginNeeded && <LoginNeeded />}
      {sales.length > 0 && <Sales sales={sales} result={result} />}
      {sales.length === 0 && (
        <Empty
          drawing="parcel"
          text={isFiltered ? 'No order is like that' : 'You have not sold anything yet'}
        >
          {isFiltered ? (
            <Link className="button quiet" to="/sold">
              Show all orders
            </Link>
          ) : (
            <Link className="button quiet" to="/your-listings">
              Your Listings
            </Link>
          )}
        </Empty>
      )}
      <Paging next={next_cursor} isFirst={isGone} without={['export', 'from', 'to']} />
      {hasSold && <SalesExport />}
    </section>
  )
}

/** Of orders that are open or not settled. */
const Sums = ({ sums }: { sums: SalesSums }) => (
  <section aria-labelledby="running">
    <h2 id="running">Orders that are not settled</h2>
    <Amounts of={sums} className="figures" />
  </section>
)

const names: Record<SaleFilter, string> = {
  open: 'To do',
  late: 'Late',
  ready: 'Ready to collect',
  sent: 'On their way',
  received: 'Received',
  cancelled: 'Cancelled',
  unpaid: 'Not paid',
}

function Filters() {
  const { filter } = useLoaderData<typeof loader>()
  return (
    <Form method="get" action="/sold" className="search-form" role="search" key={JSON.stringify(filter)}>
      <SelectField label="Show" name="state" defaultValue={filter.state}>
        <option value="">All orders</option>
        {Object.entries(names).map(([state, name]) => (
          <option key={state} value={state}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Order number or shopper"
        name="search"
        type="search"
        defaultValue={filter.search}
        maxLength={100}
      />
      <button className="button quiet" type="submit">
        Show
      </button>
    </Form>
  )
}

/** The orders, to mark many of them at once. A second attempt has the idempotency key of the first, which may have succeeded. */
function Sales({ sales, result }: { sales: ListedSale[]; result: SoldResult | undefined }) {
  const { key, filter } = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const busy = useSending()
  const query = new URLSearchParams(pageCursorIn(search))
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value)
  return (
    <Form
      method="post"
      action={query.size > 0 ? `/sold?${query}` : '/sold'}
      className="choices"
      preventScrollReset
    >
      <input type="hidden" name="key" value={result?.key ?? key} suppressHydrationWarning />
      <ul className="sales">
        {sales.map(sale => (
          // An order that was marked is no longer ticked.
          <Item key={`${sale.id} ${sale.state}`} sale={sale} isChosen={result?.chosen?.includes(sale.id)} />
        ))}
      </ul>
      {sales.some(isMarkable) && (
        <div className="actions">
          <SubmitButton busy={busy} name="intent" value="sent">
            Mark as sent
          </SubmitButton>
          <SubmitButton className="button quiet" busy={busy} name="intent" value="ready">
            Mark as ready
          </SubmitButton>
        </div>
      )}
    </Form>
  )
}

const problemsOf = (result: SoldResult | undefined): string[] | undefined =>
  result?.problems ?? result?.refused?.map(({ id, message }) => `Order #${id}: ${message}`)

const isOpen = ({ lines, state }: ListedSale) =>
  ['open', 'ready', 'part-sent'].includes(state) && lines.length > 0
const isMarkable = (sale: ListedSale) => isOpen(sale) && sale.state !== 'ready'

function Item({ sale, isChosen }: { sale: ListedSale; isChosen: boolean | undefined }) {
  const { id, created_at, shopper, lines, more_lines, total, due, unpaid, late, pickup_place, state } = sale
  const todo = todoWords({ ...sale, isPickup: pickup_place !== null })
  return (
    <li className={late ? 'sale late' : 'sale'}>
      {isMarkable(sale) ? (
        <label className="tick">
          <input type="checkbox" name="order" value={id} defaultChecked={isChosen} />
          <span className="visually-hidden">{`Choose order #${id}`}</span>
        </label>
      ) : (
        <span />
      )}
      <div>
        <h2>
          <Link className="alone" to={`/sold/${id}`}>{`Order #${id}`}</Link>
        </h2>
        <SaleState state={state} todo={todo} late={late} />
        <p>
          {'For '}
          <bdi>{shopperWords(shopper)}</bdi>
          {', ordered on '}
          <time dateTime={created_at}>{formatDate(created_at)}</time>
        </p>
        <p dir="auto">
          {piecesWords(lines)}
          {more_lines > 0 && ` and ${more_lines} more`}
        </p>
        {pickup_place && isOpen(sale) && <p dir="auto">{`To collect: ${pickup_place}`}</p>}
        <p className="sale-money">
          {`Total ${totalWords(total, due)}`}
          {unpaid > 0 && state !== 'cancelled' && `, ${dollars(unpaid)} not paid`}
          {unpaid < 0 && `, you owe ${dollars(-unpaid)}`}
        </p>
      </div>
    </li>
  )
}
