import { useRef } from 'react'
import { type Image, MAX_IMAGES } from '#images/contract.ts'
import type { FieldErrors } from '#problem'
import { SelectField, TextAreaField, TextField } from '#ui/fields.tsx'
import { VARIATION_BLOCKS, variationControls } from '../form-variations.ts'
import { QUESTION_LENGTH } from '../questions-contract.ts'
import { FOLLOWED, rowControls } from '../row-controls.ts'
import { MAX_VARIATION_OPTIONS, VARIATION_OPTION_LENGTH } from '../variations-contract.ts'
import { useCombinationRows } from './useCombinationRows.ts'

interface Props {
  /** Typed or saved, by control. */
  texts: Record<string, string>
  errors: FieldErrors
  /** The stored photos, in their order. */
  photos: Image[]
}

/** What a listing can be chosen in, and a price and a stock for each combination. */
export function VariationFields({ photos, ...group }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const { names, texts } = useCombinationRows(element, group.texts)
  return (
    <div className="variations" ref={element}>
      <p className="hint" role="status">
        {names.length > 0
          ? `${names.length === 1 ? 'The combination' : `Each of the ${names.length} combinations`} has its own price and stock. Those of the listing are the lowest price, and the sum.${photos.length > 1 ? ' Photos are numbered as they are saved, without the changes of this form.' : ''}`
          : 'Sizes, colours: what the shopper chooses. Each combination begins with the price and the stock above. It gets a row here, at the latest when the draft is saved.'}
      </p>
      {VARIATION_BLOCKS.map(n => (
        <Block key={n} n={n} {...group} />
      ))}
      {names.length > 0 &&
        Object.values(FOLLOWED).map(name => (
          <input key={name} type="hidden" name={name} value={texts[name] ?? ''} />
        ))}
      {names.map((name, index) => (
        // By its name: what is typed in a row stays there when its number changes.
        <Row key={name} n={index + 1} photos={photos} texts={texts} errors={group.errors} />
      ))}
    </div>
  )
}

function Block({ n, texts, errors }: Omit<Props, 'photos'> & { n: number }) {
  const { title, options } = variationControls(n)
  const field = (name: string) => ({
    name,
    error: errors[name],
    defaultValue: texts[name] ?? '',
    dir: 'auto',
  })
  return (
    <fieldset>
      <legend>{`Variation ${n}`}</legend>
      <TextField label="What differs" hint="Such as “Size”" limit={QUESTION_LENGTH} {...field(title)} />
      <TextAreaField
        label="To choose from"
        rows={4}
        hint={`One on each line, at most ${MAX_VARIATION_OPTIONS}, of ${VARIATION_OPTION_LENGTH} characters each`}
        {...field(options)}
      />
    </fieldset>
  )
}

function Row({ n, texts, errors, photos }: Props & { n: number }) {
  const { options, price, stock, stock_shown, sku, photo } = rowControls(n)
  const name = texts[options]
  // One that was chosen in another shop may still be on its way.
  const count = Math.max(photos.length, Math.min(Number(texts[photo]) || 0, MAX_IMAGES))
  const order = photos.map(({ id }) => id).join()
  const places = Array.from({ length: count }, (_, index) => index + 1)
  const field = (control: string) => ({
    name: control,
    error: errors[control],
    defaultValue: texts[control] ?? '',
  })
  return (
    <fieldset className="combination">
      <legend dir="auto">{name}</legend>
      <input type="hidden" name={options} value={name} />
      <input type="hidden" name={stock_shown} value={texts[stock_shown] ?? ''} />
      <TextField
        label="Price"
        unit="$"
        inputMode="decimal"
        aria-label={`Price of ${name}`}
        {...field(price)}
      />
      <TextField label="Stock" inputMode="numeric" aria-label={`Stock of ${name}`} {...field(stock)} />
      <TextField label="SKU" aria-label={`SKU of ${name}`} {...field(sku)} />
      {places.length > 1 ? (
        // Another one after a refusal: the photos may have another order by then.
        <SelectField
          key={`${texts[photo]} ${order}`}
          label="Photo"
          aria-label={`Photo of ${name}`}
          {...field(photo)}
        >
          <option value="">None of its own</option>
          {places.map(place => (
            <option key={place} value={place}>
              {photos[place - 1]?.alt ? `${place}: ${photos[place - 1]?.alt}` : place}
            </option>
          ))}
        </SelectField>
      ) : (
        <input type="hidden" name={photo} value={texts[photo] ?? ''} />
      )}
    </fieldset>
  )
}
