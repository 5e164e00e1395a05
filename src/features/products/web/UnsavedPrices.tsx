import { Form, useLoaderData, useLocation } from 'react-router'
import type { FieldErrors } from '#problem'
import { TextField } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import type { UnsavedPrice } from './priceForm.ts'
import { listingsAt } from './shelfQuery.ts'
import type { loader } from './yourListings.route.ts'

/** Prices and stocks that were sent after the session had ended, to be sent again after the login. */
export function UnsavedPrices({
  prices,
  errors,
}: {
  prices: UnsavedPrice[]
  errors: FieldErrors | undefined
}) {
  const { key } = useLoaderData<typeof loader>()
  const busy = useSending()
  const rows = new Set(prices.map(({ seen }) => seen))
  return (
    <Form method="post" action={listingsAt(useLocation().search)}>
      <input type="hidden" name="key" value={key} suppressHydrationWarning />
      {[...rows].map(seen => (
        <input key={seen} type="hidden" name="seen" value={seen} />
      ))}
      {prices.map(({ control, label, text }) => (
        <TextField key={control} label={label} name={control} defaultValue={text} error={errors?.[control]} />
      ))}
      <SubmitButton busy={busy} name="intent" value="prices">
        Save prices and stock
      </SubmitButton>
    </Form>
  )
}
