import { useState } from 'react'
import { Form, useActionData } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import type { Image } from '#images/contract.ts'
import { usePicture } from '#images/web/usePicture.ts'
import { Problems, SelectField, TextAreaField, TextField, useRules } from '#ui/fields.tsx'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { textFieldsOf } from '#ui/text-fields.ts'
import { useSending } from '#ui/use-sending.ts'
import { CATEGORIES } from '../categories.ts'
import { DESCRIPTION_LENGTH, type Listing, NAME_LENGTH, type RequiredFields } from '../contract.ts'
import { DeliveryFields, type DeliveryOptions } from './DeliveryFields.tsx'
import { DetailFields, type DetailOptions } from './DetailFields.tsx'
import { useDecimalComma } from './decimalComma.ts'
import { ListingPreview } from './ListingPreview.tsx'
import { PhotoField } from './PhotoField.tsx'
import { isDraft, type ListingResult, SAVE_DRAFT, validateListing } from './parseListing.ts'
import { useUnsavedForm } from './unsaved-form.ts'
import { useAutosave } from './useAutosave.ts'
import { useFormValues } from './useFormValues.ts'
import './listingForm.css'

/** A listing that is not published yet. */
interface Unpublished {
  id: number
  fields: Record<string, string | undefined>
  images: Image[]
  version: number
}
interface Props {
  listing?: Listing
  /** The draft that the form is filled from. */
  unpublished?: Unpublished
  details: DetailOptions
  delivery: DeliveryOptions
  submit: string
}

/** The draft that a form was based on when it was sent or left. */
const draftIn = (typed: Record<string, string> | undefined) =>
  typed?.draft_id ? { id: typed.draft_id, version: typed.draft_version ?? '' } : undefined

/** The form of a new listing, a draft or an existing listing, with a preview of its card. */
export function ListingForm({ listing, unpublished, details, delivery, submit }: Props) {
  const result = useActionData<ListingResult>()
  const busy = useSending()
  const images = result?.images ?? listing?.images ?? unpublished?.images ?? []
  const photo = listing || images.length > 0 ? 'optional' : 'required'
  const { errors, form } = useRules(
    data => (isDraft(data) ? undefined : validateListing(data, photo)),
    result?.fields,
  )
  // A revalidation must not replace what was typed: the form keeps its first listing.
  const [initial] = useState(listing)
  const [saved] = useState({ details: details.saved, delivery: delivery.saved })
  const left = useUnsavedForm(form.ref, result !== undefined && !result.done)
  const [begun] = useState(unpublished)
  const typed = result?.typed ?? (left ? textFieldsOf(left) : (begun?.fields as Record<string, string>))
  const id = result?.id ?? typed?.id
  // Once it is added, it is no draft any more, also if a photo has failed.
  const autosaved = useAutosave(form.ref, draftIn(typed) ?? begun, !listing && !id, busy)
  const isVaried = (saved.details?.variations.combinations.length ?? 0) > 0
  const shown = typed?.stock_shown ?? initial?.stock
  const version = typed?.version ?? initial?.version
  /** The stored photos whose places the typed combinations have. */
  const photosShown = idsOf(result?.images) ?? typed?.photos_shown ?? idsOf(initial?.images ?? begun?.images)
  const [opened] = useState(newIdempotencyKey)
  const first = (name: keyof RequiredFields) => String(typed?.[name] ?? initial?.[name] ?? '')
  const field = (name: keyof RequiredFields) => ({
    name,
    error: errors[name],
    defaultValue: first(name),
  })
  const values = useFormValues(form.ref, {
    ...{ name: first('name'), price: first('price'), stock: first('stock') },
    price_varies: initial?.price_varies ?? false,
    is_varied: isVaried,
  })
  /** Price and stock are those of the combinations, until all are taken away. */
  const isSum = isVaried && values.is_varied
  /** What a new form gets while it is sent would be lost: the next page shows what was sent. */
  const isClosed = busy && !listing && !begun
  useDecimalComma(form.ref)
  const files = values.files ?? []
  const picture = usePicture(files[0])
  return (
    <div className="selling">
      <Form className="listing-form" method="post" encType="multipart/form-data" preventScrollReset {...form}>
        {!listing && !unpublished && <AccountField typed={typed?.account} />}
        {id && <input type="hidden" name="id" value={id} />}
        <input type="hidden" name="key" value={typed?.key ?? opened} suppressHydrationWarning />
        <input type="hidden" name="upload_key" value={typed?.upload_key ?? opened} suppressHydrationWarning />
        <input type="hidden" name="photos_shown" value={photosShown} />
        {shown !== undefined && <input type="hidden" name="stock_shown" value={shown} />}
        {version !== undefined && <input type="hidden" name="version" value={version} />}
        {!listing && (
          <>
            <input type="hidden" name="draft_id" value={autosaved.draft?.id ?? ''} />
            <input type="hidden" name="draft_version" value={autosaved.draft?.version ?? ''} />
          </>
        )}
        {/* On edit, errors are also listed on top. */}
        <Problems messages={[...(result?.problems ?? []), ...(listing ? Object.values(errors) : [])]} />
        {result?.loginNeeded && <LoginNeeded />}
        <div inert={isClosed}>
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
        </div>
        <PhotoField
          images={images}
          name={listing?.name ?? typed?.name}
          typed={typed}
          {...{ files, picture, busy, errors, result }}
        />
        <div inert={isClosed}>
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
              hint={
                isSum
                  ? 'The lowest of its combinations: change it in Variations'
                  : 'In dollars, such as 12.50'
              }
              readOnly={isSum}
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
              hint={isSum ? 'All combinations together' : undefined}
              readOnly={isSum}
              {...field('stock')}
            />
          </div>
          <DetailFields {...{ sections: details.sections, saved: saved.details, typed, errors, images }} />
          <DeliveryFields profiles={delivery.profiles} saved={saved.delivery} typed={typed} errors={errors} />
        </div>
        <p className="actions">
          <SubmitButton busy={busy}>{submit}</SubmitButton>
          {!listing && (
            <SubmitButton className="button quiet" busy={busy} name="intent" value={SAVE_DRAFT}>
              {unpublished ? 'Save the draft' : 'Save as a draft'}
            </SubmitButton>
          )}
        </p>
        {!listing && (
          <p className="hint" role="status">
            {autosaved.status}
          </p>
        )}
      </Form>
      <ListingPreview values={values} images={images} listing={listing} />
    </div>
  )
}

const idsOf = (images: Image[] | undefined) => images?.map(({ id }) => id).join(' ')
