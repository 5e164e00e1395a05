import type { ReactNode } from 'react'
import { Form, useActionData, useNavigation } from 'react-router'
import type { FieldErrors } from '#problem'
import { Problems, SelectField, TextAreaField, TextField, useRules } from '#web/fields.tsx'
import { CATEGORIES } from '../categories.ts'
import { DESCRIPTION_LENGTH, type Listing, NAME_LENGTH } from '../contract.ts'
import { brokenListing, type ListingResult } from './listingOf.ts'
import { PhotoField } from './PhotoField.tsx'
import './listingForm.css'

interface ListingFormProps {
  listing?: Listing
  submit: string
  /** What stands between the title and the fields, given the messages of all fields. */
  children?: (errors: FieldErrors) => ReactNode
}

/** What a seller says of a piece, new or not. */
export function ListingForm({ listing, submit, children }: ListingFormProps) {
  const result = useActionData<ListingResult>()
  const busy = useNavigation().state !== 'idle'
  const { errors, form } = useRules(
    data => brokenListing(data, listing ? 'optional' : 'required'),
    result?.fields,
  )
  const field = (name: 'name' | 'category' | 'description' | 'price' | 'stock') => ({
    name,
    error: errors[name],
    defaultValue: result?.draft[name] ?? listing?.[name],
  })
  return (
    <Form className="listing-form" method="post" encType="multipart/form-data" preventScrollReset {...form}>
      {result?.id && <input type="hidden" name="id" value={result.id} />}
      <Problems messages={result?.fields ? undefined : result?.problems} />
      {children?.(errors)}
      <TextField label="Name" hint={`At most ${NAME_LENGTH} characters`} {...field('name')} />
      <SelectField label="Category" {...field('category')}>
        <option value="">Select a category</option>
        {CATEGORIES.map(category => (
          <option key={category}>{category}</option>
        ))}
      </SelectField>
      <PhotoField images={listing?.images} busy={busy} error={errors.image} />
      <TextAreaField
        label="Description"
        rows={4}
        hint={`At most ${DESCRIPTION_LENGTH} characters`}
        {...field('description')}
      />
      <div className="pair">
        <TextField
          label="Price"
          type="number"
          inputMode="decimal"
          step="0.01"
          min="0.01"
          {...field('price')}
        />
        <TextField label="Stock" type="number" inputMode="numeric" step="1" min="1" {...field('stock')} />
      </div>
      <p className="actions">
        <button className="button" type="submit" disabled={busy}>
          {submit}
        </button>
      </p>
    </Form>
  )
}
