import { useState } from 'react'
import { Form, useActionData, useNavigation } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { usePicture } from '#images/web/usePicture.ts'
import { Problems, SelectField, TextAreaField, TextField, useRules } from '#ui/fields.tsx'
import { textFieldsOf } from '#ui/form-draft.ts'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { CATEGORIES } from '../categories.ts'
import { DESCRIPTION_LENGTH, type Listing, type ListingDraft, NAME_LENGTH } from '../contract.ts'
import { DeliveryFields, type DeliveryOptions } from './DeliveryFields.tsx'
import { useDecimalComma } from './decimalComma.ts'
import { useDraft } from './draft.ts'
import { ListingPreview } from './ListingPreview.tsx'
import { PhotoField } from './PhotoField.tsx'
import { brokenListing, type ListingResult } from './parseListing.ts'
import { useFormValues } from './useFormValues.ts'
import './listingForm.css'

interface Props {
  listing?: Listing
  delivery: DeliveryOptions
  submit: string
}

/** The form of a new or existing listing, with a preview of its card. */
export function ListingForm({ listing, delivery, submit }: Props) {
  const result = useActionData<ListingResult>()
  const busy = useNavigation().state !== 'idle'
  const { errors, form } = useRules(
    data => brokenListing(data, listing ? 'optional' : 'required'),
    result?.fields,
  )
  // A revalidation must not replace what was typed: the form keeps its first listing.
  const [initial] = useState(listing)
  const [saved] = useState(delivery.saved)
  const left = useDraft(form.ref, result !== undefined)
  const draft = result?.draft ?? (left && textFieldsOf(left))
  const id = result?.id ?? draft?.id
  const shown = draft?.stock_shown ?? initial?.stock
  const version = draft?.version ?? initial?.version
  const [opened] = useState(newIdempotencyKey)
  const first = (name: keyof ListingDraft) => String(draft?.[name] ?? initial?.[name] ?? '')
  const field = (name: keyof ListingDraft) => ({
    name,
    error: errors[name],
    defaultValue: first(name),
  })
  const typed = useFormValues(form.ref, { name: first('name'), price: first('price'), stock: first('stock') })
  useDecimalComma(form.ref)
  const picture = usePicture(typed.file)
  return (
    <div className="selling">
      <Form className="listing-form" method="post" encType="multipart/form-data" preventScrollReset {...form}>
        {id && <input type="hidden" name="id" value={id} />}
        <input type="hidden" name="key" value={draft?.key ?? opened} suppressHydrationWarning />
        {shown !== undefined && <input type="hidden" name="stock_shown" value={shown} />}
        {version !== undefined && <input type="hidden" name="version" value={version} />}
        {/* On edit, errors are also listed on top. */}
        <Problems messages={[...(result?.problems ?? []), ...(listing ? Object.values(errors) : [])]} />
        {result?.loginNeeded && <LoginNeeded />}
        <TextField
          label="Name"
          hint={`At most ${NAME_LENGTH} characters`}
          limit={NAME_LENGTH}
          {...field('name')}
        />
        <SelectField label="Category" {...field('category')}>
          <option value="">Select a category</option>
          {CATEGORIES.map(category => (
            <option key={category}>{category}</option>
          ))}
        </SelectField>
        <PhotoField
          images={listing?.images}
          name={listing?.name}
          file={typed.file}
          picture={picture}
          busy={busy}
          error={errors.image}
          result={result}
        />
        <TextAreaField
          label="Description"
          rows={4}
          hint={`At most ${DESCRIPTION_LENGTH} characters`}
          limit={DESCRIPTION_LENGTH}
          {...field('description')}
        />
        <div className="pair">
          <TextField
            label="Price"
            unit="$"
            hint="In dollars, such as 12.50"
            type="number"
            inputMode="decimal"
            step="0.01"
            min="0.01"
            {...field('price')}
          />
          <TextField
            label="Stock"
            type="number"
            inputMode="numeric"
            step="1"
            min={Number(shown) === 0 ? 0 : 1}
            {...field('stock')}
          />
        </div>
        <DeliveryFields profiles={delivery.profiles} saved={saved} draft={draft} errors={errors} />
        <p className="actions">
          <SubmitButton busy={busy}>{submit}</SubmitButton>
        </p>
      </Form>
      <ListingPreview typed={typed} chosen={picture} listing={listing} />
    </div>
  )
}
