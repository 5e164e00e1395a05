import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { REASON_LENGTH } from '#operators/contract.ts'
import type { FieldErrors } from '#problem'
import { TextAreaField, TextField, useRules } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useResultCount } from '#ui/use-result-count.ts'
import { useSending } from '#ui/use-sending.ts'
import { RULE_LENGTH } from '../operate-contract.ts'
import type { OperateResult } from './operate.route.ts'
import { validateIntent } from './operateIntents.ts'

interface Props {
  intent: string
  id: number
  /** What opens the form, and its button. */
  label: string
  /** What it is about, for screen readers. */
  about: string
  result: OperateResult | undefined
  /** Whether a rule can be named that was broken. */
  withRule?: boolean
  /** Who reads the reason. */
  hint?: string
  /** Further fields, with the messages under them. */
  children?: (errors: FieldErrors) => ReactNode
}

/** A form with a reason, closed until it is needed. What was typed and refused is shown again; what was sent is not. */
export function ReasonForm(props: Props) {
  const { intent, id, result } = props
  const isDone = result?.done !== undefined && result.intent === intent && result.id === id
  const count = useResultCount(isDone ? result : undefined)
  return <OneForm key={`${intent} ${count}`} {...props} />
}

function OneForm({ intent, id, label, about, result, withRule, hint, children }: Props) {
  const busy = useSending()
  const mine = result?.intent === intent && result.id === id && !result.done ? result : undefined
  const { errors, form } = useRules(form => validateIntent(intent, form), mine?.fields)
  return (
    <details className="reason" open={mine !== undefined}>
      <summary className="link" aria-label={`${label}: ${about}`}>
        {label}
      </summary>
      <Form method="post" preventScrollReset {...form}>
        <input type="hidden" name="id" value={id} />
        {children?.(errors)}
        <TextAreaField
          label="Reason"
          name="reason"
          rows={3}
          limit={REASON_LENGTH}
          dir="auto"
          hint={hint}
          error={errors.reason}
          defaultValue={mine?.typed?.reason}
        />
        {withRule && (
          <TextField
            label="Rule that was broken, if there is one"
            name="rule"
            limit={RULE_LENGTH}
            dir="auto"
            error={errors.rule}
            defaultValue={mine?.typed?.rule}
          />
        )}
        <SubmitButton
          className="button quiet"
          busy={busy}
          name="intent"
          value={intent}
          aria-label={`${label}: ${about}`}
        >
          {label}
        </SubmitButton>
      </Form>
    </details>
  )
}
