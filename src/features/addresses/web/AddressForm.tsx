import { type ReactNode, useState } from 'react'
import { Form } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { Problems, useRules } from '#ui/fields.tsx'
import { newIdempotencyKey } from '#ui/idempotency-key.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import type { Address } from '../contract.ts'
import { AddressFields } from './AddressFields.tsx'
import type { AddressResult } from './addresses.route.ts'
import { validateAddress } from './parseAddress.ts'

/** The form of a new or existing address. @param action where it is sent */
export function AddressForm({
  address,
  action,
  submit,
  result,
  children,
}: {
  address?: Address | undefined
  action: string
  submit: string
  result: AddressResult | undefined
  /** Beside the button. */
  children?: ReactNode
}) {
  const busy = useSending()
  const { errors, form } = useRules(validateAddress, result?.fields)
  const [opened] = useState(newIdempotencyKey)
  return (
    <Form className="address-form" method="post" action={action} preventScrollReset {...form}>
      {/* Pressed by Enter: without scripts the first visible button only asks for the fields of a country. */}
      <button type="submit" hidden tabIndex={-1} />
      <input type="hidden" name="key" value={result?.typed?.key ?? opened} suppressHydrationWarning />
      <AccountField typed={result?.typed?.account} />
      <Problems messages={result?.problems} />
      {result?.loginNeeded && <LoginNeeded />}
      <AddressFields first={{ ...address, ...result?.typed }} errors={errors} />
      <p className="actions">
        <SubmitButton busy={busy}>{submit}</SubmitButton>
        {children}
      </p>
    </Form>
  )
}
