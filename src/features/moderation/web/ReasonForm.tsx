import type { ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'
import { REASON_LENGTH } from '#operators/contract.ts'
import { TextAreaField, TextField } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { RULE_LENGTH } from '../operate-contract.ts'
import type { OperateResult } from './operate.route.ts'

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
  children?: ReactNode
}

/** A form with a reason, closed until it is needed. What was typed and refused is shown again. */
export function ReasonForm({ intent, id, label, about, result, withRule, hint, children }: Props) {
  const busy = useNavigation().state !== 'idle'
  const mine = result?.intent === intent && result.id === id && !result.done ? result : undefined
  return (
    <details className="reason" open={mine !== undefined}>
      <summary className="link" aria-label={`${label}: ${about}`}>
        {label}
      </summary>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="id" value={id} />
        {children}
        <TextAreaField
          label="Reason"
          name="reason"
          rows={3}
          limit={REASON_LENGTH}
          dir="auto"
          hint={hint}
          error={mine?.fields?.reason}
          defaultValue={mine?.typed?.reason}
        />
        {withRule && (
          <TextField
            label="Rule that was broken, if there is one"
            name="rule"
            limit={RULE_LENGTH}
            dir="auto"
            error={mine?.fields?.rule}
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
