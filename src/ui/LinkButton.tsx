import type { ComponentProps } from 'react'
import { Form } from 'react-router'

interface LinkButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'name' | 'value'> {
  /** May have a query, which goes along without scripts too. */
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
  const [path, query] = to.split('?')
  return (
    <Form method="get" action={path} state={state} replace={replace} preventScrollReset>
      {[...new URLSearchParams(query)].map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <button className={className} type="submit" {...button} />
    </Form>
  )
}
