import { type ComponentType, type ReactNode, useEffect, useMemo, useState } from 'react'
import { LOST } from '#ui/api-client.ts'
import { useModal } from '#ui/Dialog.tsx'

// Loaded on demand: most visitors do not need the forms and their rules.
const loadLogin = () => import('./LoginForm.tsx').then(file => file.LoginForm)
const loadSignup = () => import('./SignupDialog.tsx').then(file => file.SignupDialog)

/**
 * Opens login or signup over the page; after success the page stays, and `onDone` is called. `purpose` is shown above
 * the fields: with "to see your cart", "Log in to see your cart".
 */
export function useLoginDialog() {
  const modal = useModal()
  return useMemo(() => {
    // The dialog leaves the history before `onDone`, which may navigate.
    const closing = (onDone?: () => void) => () => void modal.close().then(onDone)
    const login = (onDone?: () => void, purpose?: string) =>
      modal.open({
        title: 'Log In',
        content: (
          <Loaded load={loadLogin} page="/login">
            {LoginForm => (
              <>
                <LoginForm onDone={closing(onDone)} purpose={purpose} />
                <Instead question="New here?" label="Sign Up" open={() => signup(onDone, purpose)} />
              </>
            )}
          </Loaded>
        ),
      })
    const signup = (onDone?: () => void, purpose?: string) =>
      modal.open({
        title: 'Sign Up',
        content: (
          <Loaded load={loadSignup} page="/signup">
            {SignupDialog => (
              <>
                <SignupDialog onDone={closing(onDone)} purpose={purpose} />
                <Instead question="Already one of us?" label="Log In" open={() => login(onDone, purpose)} />
              </>
            )}
          </Loaded>
        ),
      })
    return { login, signup }
  }, [modal])
}

/** Switches to the other dialog. */
const Instead = ({ question, label, open }: { question: string; label: string; open: () => void }) => (
  <p className="instead">
    <span>{question}</span>
    <button className="button quiet" type="button" onClick={open}>
      {label}
    </button>
  </p>
)

type Loading<P> = { Part: ComponentType<P> } | 'on its way' | 'lost'

/**
 * A form whose script loads on demand. If it fails, a message links to the form's own page, because some browsers
 * never retry a failed import. The page below keeps its values.
 */
function Loaded<P>({
  load,
  page,
  children,
}: {
  load: () => Promise<ComponentType<P>>
  page: string
  children: (Part: ComponentType<P>) => ReactNode
}) {
  const [loading, setLoading] = useState<Loading<P>>('on its way')
  useEffect(() => {
    load().then(
      Part => setLoading({ Part }),
      () => setLoading('lost'),
    )
  }, [load])
  if (loading === 'on its way') return <p>Loading...</p>
  if (loading !== 'lost') return children(loading.Part)
  return (
    <>
      <p className="error" role="alert">
        {LOST}
      </p>
      <p className="actions">
        <a className="button" href={page} target="_blank" rel="noreferrer">
          Try again in a new tab
        </a>
      </p>
    </>
  )
}
