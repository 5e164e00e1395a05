import type { ReactNode } from 'react'
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import type { FieldErrors } from '#problem'
import { pieceWords } from '#products/answer-rules.ts'
import { Problems, TextField, useRules } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import type { Sale } from '../contract.ts'
import type { loader, SaleResult } from './sale.route.ts'
import { type Intent, intents, unitsOf, validateSale } from './saleForm.ts'

interface Filled {
  errors: FieldErrors
  /** Typed values of a form that was refused. */
  typed: Record<string, string>
}
interface SaleFormProps {
  intent: Intent
  /** Id of the event that it is about. */
  about?: number
  /** What its button says. */
  submit: string
  className?: string
  /** A second button with another intent. */
  other?: { intent: Intent; submit: string }
  children?: (filled: Filled) => ReactNode
}

/** A form that does something to the order of the page. One idempotency key: a double click or a retry does it once. */
export function SaleForm({ intent, about, submit, className = 'button', other, children }: SaleFormProps) {
  const { orderId, sale, key } = useLoaderData<typeof loader>()
  const action = `/sold/${orderId}`
  const result = useActionData<SaleResult>()
  const isMine =
    (result?.intent === intent || (other && result?.intent === other.intent)) &&
    (result?.about || undefined) === (about === undefined ? undefined : String(about))
  const mine = isMine ? result : undefined
  const isAbove = useOrderChanged()
  const check = (form: FormData) => validateSale(intent, form)
  const { errors, form } = useRules(check, mine?.fields)
  const { formData, formAction } = useNavigation()
  const isSending = useSending()
  const isOfSale = formAction === action && intents.some(each => each === formData?.get('intent'))
  // After a success until the page has its new data, with a key for the next form.
  const busy = isOfSale && (isSending || result?.done !== undefined)
  return (
    <Form method="post" action={action} preventScrollReset {...form}>
      <Problems messages={isAbove ? undefined : mine?.problems} />
      {mine?.loginNeeded && <LoginNeeded />}
      <input type="hidden" name="revision" value={sale?.revision ?? ''} />
      <input type="hidden" name="key" value={mine?.key ?? key} suppressHydrationWarning />
      {about !== undefined && <input type="hidden" name="about" value={about} />}
      {children?.({ errors, typed: mine?.typed ?? {} })}
      <div className="actions">
        <SubmitButton className={className} busy={busy} name="intent" value={intent}>
          {submit}
        </SubmitButton>
        {other && (
          <SubmitButton className="button quiet" busy={busy} name="intent" value={other.intent}>
            {other.submit}
          </SubmitButton>
        )}
      </div>
    </Form>
  )
}

/** Whether the order has changed since a refused form was made: that form may be gone, and its problems stand above all forms. */
export function useOrderChanged(): boolean {
  const { sale } = useLoaderData<typeof loader>()
  const revision = useActionData<SaleResult>()?.revision
  return revision !== undefined && sale !== null && revision !== String(sale.revision)
}

/** How many of each open piece. */
export function Units({ lines, errors, typed, to }: Filled & Pick<Sale, 'lines'> & { to: string }) {
  const open = lines.filter(line => line.open > 0)
  return (
    <fieldset className="units">
      <legend>{`How many to ${to}`}</legend>
      {open.map((line, index) => (
        <TextField
          key={unitsOf(line)}
          label={pieceWords(line)}
          hint={`${line.open} open`}
          name={unitsOf(line)}
          type="number"
          inputMode="numeric"
          min={0}
          max={line.open}
          defaultValue={typed[unitsOf(line)] ?? line.open}
          error={index === 0 ? errors.lines : undefined}
        />
      ))}
    </fieldset>
  )
}

/** A refused form stays open. */
export const useIsRefused = (intent: string, about?: number) => {
  const result = useActionData<SaleResult>()
  return result?.intent === intent && (about === undefined || result.about === String(about))
}

interface UndoProps {
  about: number
  /** ISO 8601. */
  until: string
  what: string
  /** Whether the shopper gets a letter at the end of that time. */
  sendsLetter?: boolean
}

/** Takes something back for some minutes. */
export const Undo = ({ about, until, what, sendsLetter = false }: UndoProps) => (
  <SaleForm intent="undone" about={about} submit={`Undo ${what}`} className="button quiet">
    {() => (
      <p className="hint">
        {`Until ${until.slice(11, 16)} UTC${sendsLetter ? '. The shopper gets a letter then' : ''}`}
      </p>
    )}
  </SaleForm>
)
