import { Form, Link, useLoaderData } from 'react-router'
import { AddressLines } from '#addresses/web/AddressLines.tsx'
import { formatDate } from '#format-date'
import { dollars } from '#money'
import { AnswerList } from '#products/web/AnswerList.tsx'
import { useBrand } from '#ui/brand.ts'
import { shopperWords } from './saleText.ts'
import type { loader } from './slip.route.ts'
import './slip.css'

/** What is put into the next parcel; of an order that is sent, everything. Only the slip is printed, not what is around it. */
export function Page() {
  const { sale, withPrices } = useLoaderData<typeof loader>()
  const { name } = useBrand()
  const { id, created_at, maker, shopper, address, pickup, note, lines, postage, payment } = sale
  const isFurther = lines.some(({ open }) => open > 0)
  const packed = lines
    .map(line => ({ ...line, left: isFurther ? line.open : line.sent }))
    .filter(({ left }) => left > 0)
  const before = isFurther ? lines.filter(({ sent }) => sent > 0) : []
  return (
    <section className="slip-page">
      <Tools />
      <article className="slip">
        <header>
          <p className="slip-shop">
            <strong dir="auto">{maker?.name}</strong>
            <span>{`at ${name}`}</span>
          </p>
          <h1>{`Packing slip of order #${id}`}</h1>
          <p>{`Ordered on ${formatDate(created_at)}`}</p>
        </header>
        <div className="slip-to">
          <h2>{address ? 'To' : 'For'}</h2>
          {address ? <AddressLines address={address} /> : <p dir="auto">{shopperWords(shopper)}</p>}
          {pickup && <p dir="auto">{`To collect: ${pickup.place}`}</p>}
        </div>
        {packed.length === 0 ? (
          <p>There is nothing to pack: this order is cancelled.</p>
        ) : (
          <table>
            <thead>
              <tr>
                <th scope="col">Piece</th>
                <th scope="col">Quantity</th>
                {withPrices && <th scope="col">Price each</th>}
              </tr>
            </thead>
            <tbody>
              {packed.map(line => (
                <tr key={`${line.id}.${line.line}`}>
                  <td dir="auto">
                    {line.name}
                    <AnswerList answers={line.answers} />
                  </td>
                  <td>{line.left}</td>
                  {withPrices && <td>{dollars(line.price)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {before.length > 0 && (
          <>
            <h2>Sent before</h2>
            <ul>
              {before.map(line => (
                <li key={`${line.id}.${line.line}`} dir="auto">
                  {`${line.sent} × ${line.name}`}
                  <AnswerList answers={line.answers} />
                </li>
              ))}
            </ul>
          </>
        )}
        {withPrices && packed.length > 0 && (
          <p className="slip-total">
            {postage > 0 && `Postage ${dollars(postage)} · `}
            {`Total of the order ${dollars(payment.due)}`}
          </p>
        )}
        {note && (
          <div>
            <h2>Note</h2>
            <p className="slip-note" dir="auto">
              {note}
            </p>
          </div>
        )}
      </article>
    </section>
  )
}

function Tools() {
  const { sale, withPrices } = useLoaderData<typeof loader>()
  const slip = `/sold/${sale.id}/slip`
  return (
    <div className="slip-tools">
      <p>
        <Link className="alone" to={`/sold/${sale.id}`}>{`Order #${sale.id}`}</Link>
      </p>
      <div className="actions">
        <button className="button scripted" type="button" onClick={() => print()}>
          Print
        </button>
        <p className="hint">Print this page with your browser: only the slip is printed.</p>
        <Form method="get" action={slip} replace>
          {!withPrices && <input type="hidden" name="prices" value="yes" />}
          <button className="button quiet" type="submit">
            {withPrices ? 'Without prices' : 'With prices'}
          </button>
        </Form>
      </div>
    </div>
  )
}
