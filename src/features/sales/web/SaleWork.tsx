import { carriers } from '#orders/carriers-contract.ts'
import { UNDO_MINUTES } from '#orders/detail-contract.ts'
import { TextAreaField, TextField } from '#ui/fields.tsx'
import type { Sale } from '../contract.ts'
import { REASON_LENGTH } from '../input-contract.ts'
import { SaleForm, Undo, Units, useIsRefused } from './SaleForm.tsx'

/** What is to do with the open pieces: send them, or hand them over. */
export function Work({ sale: { lines, shopper, pickup, ready_at, ready_undo } }: { sale: Sale }) {
  const isRefused = useIsRefused('sent')
  if (!pickup) return <Send lines={lines} />
  return (
    <>
      {ready_at === null && (
        <>
          <p>{`Once everything is ready, tell the shopper: they get a letter ${UNDO_MINUTES} minutes later.`}</p>
          <SaleForm intent="ready" submit="Mark as ready" />
        </>
      )}
      <Collect isFirst={ready_at !== null} isGone={shopper === ''} />
      {ready_undo && (
        <Undo about={ready_undo.id} until={ready_undo.until} what="“ready to collect”" sendsLetter />
      )}
      <details open={isRefused}>
        <summary className="link">Send it instead</summary>
        <Send lines={lines} />
      </details>
    </>
  )
}

function Collect({ isFirst, isGone }: { isFirst: boolean; isGone: boolean }) {
  return (
    <SaleForm intent="collected" submit="Hand over" className={isFirst ? 'button' : 'button quiet'}>
      {({ errors, typed }) => (
        <TextField
          label="Code of the shopper"
          name="code"
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          hint={
            isGone
              ? 'The shopper has deleted their account, and with it the code: any four digits will do'
              : 'The shopper says it: four digits, on the page of their order'
          }
          defaultValue={typed.code}
          error={errors.code}
        />
      )}
    </SaleForm>
  )
}

const Send = ({ lines }: Pick<Sale, 'lines'>) => (
  <SaleForm intent="sent" submit="Mark as sent">
    {({ errors, typed }) => (
      <>
        <Units to="send" lines={lines} errors={errors} typed={typed} />
        <ParcelFields errors={errors} typed={typed} />
      </>
    )}
  </SaleForm>
)

interface ParcelFieldsProps {
  errors: Record<string, string>
  typed: Record<string, string>
  isNumberRequired?: boolean
}

/** Carrier and number. Any carrier will do; those with a page for parcels are suggested. */
export function ParcelFields({ errors, typed, isNumberRequired = false }: ParcelFieldsProps) {
  return (
    <div className="pair">
      <TextField
        label="Carrier"
        name="carrier"
        list="carriers"
        hint="If you like: DHL, Royal Mail or any other"
        defaultValue={typed.carrier}
        error={errors.carrier}
      />
      <TextField
        label="Tracking number"
        name="tracking"
        autoComplete="off"
        hint={isNumberRequired ? undefined : 'If there is one'}
        defaultValue={typed.tracking}
        error={errors.tracking}
      />
    </div>
  )
}

/** Suggestions for every field of a carrier. */
export const Carriers = () => (
  <datalist id="carriers">
    {carriers.map(name => (
      <option key={name} value={name} />
    ))}
  </datalist>
)

/** Cancels open pieces, with a reason for the shopper. */
export function Cancel({ lines }: Pick<Sale, 'lines'>) {
  const isRefused = useIsRefused('cancelled')
  return (
    <details className="cancel" open={isRefused}>
      <summary className="link">Cancel pieces that you cannot make or send</summary>
      <SaleForm intent="cancelled" submit="Cancel these pieces" className="button danger">
        {({ errors, typed }) => (
          <>
            <Units to="cancel" lines={lines} errors={errors} typed={typed} />
            <TextAreaField
              label="Reason"
              name="reason"
              rows={3}
              hint="The shopper reads it"
              limit={REASON_LENGTH}
              defaultValue={typed.reason}
              error={errors.reason}
            />
          </>
        )}
      </SaleForm>
    </details>
  )
}
