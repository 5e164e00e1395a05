import { type ComponentProps, useState } from 'react'
import { TextField } from './fields.tsx'
import { useHydrated } from './use-hydrated.ts'

/** A password, with a button that shows it. Without scripts there is no button. */
export function PasswordField(field: Omit<ComponentProps<typeof TextField>, 'type' | 'after'>) {
  const [shown, setShown] = useState(false)
  const isHydrated = useHydrated()
  return (
    <TextField
      {...field}
      type={shown ? 'text' : 'password'}
      after={
        isHydrated && (
          <button type="button" aria-pressed={shown} onClick={() => setShown(!shown)}>
            Show<span className="visually-hidden"> password</span>
          </button>
        )
      }
    />
  )
}
