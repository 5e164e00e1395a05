import { type FormEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '#accounts/web/session.ts'
import { useLoginDialog } from '#accounts/web/useLoginDialog.tsx'
import { Icon } from '#ui/icons.tsx'
import { useSaving } from '#ui/use-saving.ts'
import './heart.css'

interface HeartProps {
  id: number
  name: string
  /** Id of the element to return to without scripts. */
  within?: string
}

/** Saves a favourite or removes it. Shows the result optimistically. */
export function Heart({ id, name, within }: HeartProps) {
  const { user, favourites } = useSession()
  const { pathname, search } = useLocation()
  const { save, isSaving, result } = useSaving<{ message: string; failed: boolean }>('/favourites')
  /** What was pressed last, until it is saved or refused. */
  const [wanted, setWanted] = useState<boolean>()
  const { login } = useLoginDialog()
  const afterLogin = useRef(false)
  const saved = wanted ?? favourites.includes(id)
  const value = saved ? 'no' : 'yes'
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const send = () => {
      setWanted(!saved)
      void save({ id: String(id), saved: value }).then(() => setWanted(undefined))
    }
    afterLogin.current = !user
    // Completes the save after the login; forgets it if the dialog is closed.
    if (user) send()
    else login(send, `to save ${name}`)
  }
  return (
    <form className="heart" method="post" action="/favourites" onSubmit={onSubmit}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="back" value={pathname + search + (within ? `#${within}` : '')} />
      <button type="submit" name="saved" value={value} aria-pressed={saved} aria-label={`Save ${name}`}>
        <Icon d="M12 20.5C5 15.5 3 12 3 8.8A4.8 4.8 0 0 1 12 6.5a4.8 4.8 0 0 1 9 2.3c0 3.2-2 6.7-9 11.7z" />
      </button>
      <span role="status">
        {result && !isSaving && (result.failed || afterLogin.current) && <span>{result.message}</span>}
      </span>
    </form>
  )
}
