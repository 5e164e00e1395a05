import { useId } from 'react'
import { useFetcher } from 'react-router'
import { countryName } from '#addresses/countries.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import type { ListingPostage } from '../contract.ts'
import { isByArrangement, postageText } from '../postage-text.ts'
import { CountryOptions } from './CountryOptions.tsx'
import { PickupList } from './PickupList.tsx'
import { RateTable } from './RateTable.tsx'
import './postage.css'

interface Props {
  /** Where the chosen country is sent: the page of the listing. */
  action: string
  postage: ListingPostage
  country: string | null
}

/** What postage of a listing costs, when it arrives, and where it can be collected. */
export function ListingDelivery({ action, postage, country }: Props) {
  const { rates, pickup_places, from_country } = postage
  const id = useId()
  const fetcher = useFetcher<{ message: string } | null>()
  return (
    <section className="delivery" aria-labelledby={id}>
      <h2 id={id}>Delivery</h2>
      <p role="status" suppressHydrationWarning>
        {postageText(postage, country)}
      </p>
      {from_country && (
        <p className="from" suppressHydrationWarning>{`Ships from ${countryName(from_country)}`}</p>
      )}
      {pickup_places.length > 0 && !isByArrangement(postage) && (
        <>
          <h3>{rates.length > 0 ? 'Or collect it, free of charge' : 'Collect it, free of charge'}</h3>
          <PickupList places={pickup_places} />
        </>
      )}
      {rates.length > 0 && (
        <>
          <fetcher.Form className="country" method="post" action={action}>
            <label>
              <span>Your country</span>
              <select name="country" defaultValue={country ?? ''} key={country}>
                <option value="">Not chosen</option>
                <CountryOptions />
              </select>
            </label>
            <SubmitButton className="button quiet" busy={fetcher.state !== 'idle'}>
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
      )}
    </section>
  )
}
