import { type ReactNode, useId } from 'react'
import { useFetcher } from 'react-router'
import { countryName } from '#addresses/countries.ts'
import { Icon } from '#ui/icons.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import type { ListingPostage } from '../contract.ts'
import { isByArrangement, postageText, readyText } from '../postage-text.ts'
import { CountryOptions } from './CountryOptions.tsx'
import { PickupList } from './PickupList.tsx'
import { RateTable } from './RateTable.tsx'
import './postage.css'

interface Props {
  /** Where the chosen country is sent: the page of the listing. */
  action: string
  postage: ListingPostage
  country: string | null
  /** Further facts, as list items. */
  children?: ReactNode
}

/** When a listing is ready, what its postage costs, and where it can be collected. */
export function ListingDelivery({ action, postage, country, children }: Props) {
  const { rates, pickup_places, from_country } = postage
  const id = useId()
  return (
    <section className="delivers" aria-labelledby={id}>
      <h2 id={id} className="visually-hidden">
        Delivery
      </h2>
      <ul>
        <li className="fact">
          <Icon d="M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0zM12 7v5.5l3.5 2" />
          <div>
            <p>{readyText(postage)}</p>
            {from_country && (
              <p className="from" suppressHydrationWarning>{`Ships from ${countryName(from_country)}`}</p>
            )}
          </div>
        </li>
        <li className="fact">
          <Icon d="M4 8l8-4 8 4v8.5l-8 4-8-4zM4 8l8 4 8-4M12 12v8.5" />
          <div>
            <p role="status" suppressHydrationWarning>
              {postageText(postage, country)}
            </p>
            {rates.length > 0 && <Destination {...{ action, postage, country }} />}
          </div>
        </li>
        {pickup_places.length > 0 && !isByArrangement(postage) && (
          <li className="fact">
            <Icon d="M12 21c-4.3-4.7-6.5-8.3-6.5-11a6.5 6.5 0 0 1 13 0c0 2.7-2.2 6.3-6.5 11zM14.5 10a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z" />
            <div>
              <h3>{rates.length > 0 ? 'Or collect it, free of charge' : 'Collect it, free of charge'}</h3>
              <PickupList places={pickup_places} />
            </div>
          </li>
        )}
        {children}
      </ul>
    </section>
  )
}

/** The country that postage is shown for, and the postage to all of them. */
function Destination({ action, postage: { rates }, country }: Omit<Props, 'children'>) {
  const fetcher = useFetcher<{ message: string } | null>()
  return (
    <>
      <fetcher.Form className="country" method="post" action={action}>
        <label>
          <span>Your country</span>
          <select name="country" defaultValue={country ?? ''} key={country}>
            <option value="">Not chosen</option>
            <CountryOptions />
          </select>
        </label>
        <SubmitButton className="button quiet" busy={fetcher.state === 'submitting'}>
          Show postage
        </SubmitButton>
      </fetcher.Form>
      {fetcher.data?.message && (
        <p className="error" role="alert">
          {fetcher.data.message}
        </p>
      )}
      <details>
        <summary>All countries</summary>
        <RateTable rates={rates} />
      </details>
    </>
  )
}
