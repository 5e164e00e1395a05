import type { ComponentProps } from 'react'
import { Form } from 'react-router'

interface LinkButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'name' | 'value'> {
  /** May have a query, which works without scripts too. */
  to: string
  /** One query parameter: ?name=value. */
  name?: string
  value?: string | number
  /** Router state, to open the address as a dialog. */
  state?: unknown
  replace?: boolean
}

/** A button that opens an address: a GET form, so that it works without scripts. */
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
