import type { ComponentProps } from 'react'
import { Form } from 'react-router'

interface LinkButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'name' | 'value'> {
  to: string
  /** One parameter of the address: ?name=value. */
  name?: string
  value?: string | number
  /** Where the router keeps that the address is a dialog. */
  state?: unknown
  replace?: boolean
}

/** A button that leads to an address: a form that asks for it, so it works before and without scripts. */
export function LinkButton({
  to,
  state,
  replace = false,
  className = 'button quiet',
  ...button
}: LinkButtonProps) {
  return (
    <Form method="get" action={to} state={state} replace={replace} preventScrollReset>
      <button className={className} type="submit" {...button} />
    </Form>
  )
}
