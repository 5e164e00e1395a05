import { lazy, Suspense, useMemo } from 'react'
import { useModal } from '#web/Dialog.tsx'

// The forms bring the rules with them; a visitor who only looks around need not load them.
const LoginForm = lazy(async () => ({ default: (await import('./LoginForm.tsx')).LoginForm }))
const SignupForm = lazy(async () => ({ default: (await import('./SignupForm.tsx')).SignupForm }))

/** Opens login or signup over the page; after success the page stays, and `onDone` is told. */
export function useLoginDialog() {
  const modal = useModal()
  return useMemo(() => {
    const closing = (onDone?: () => void) => () => {
      modal.close()
      onDone?.()
    }
    const login = (onDone?: () => void) =>
      modal.open({
        title: 'Log In',
        content: (
          <Waiting>
            <LoginForm onDone={closing(onDone)} />
            <Instead question="New here?" label="Sign Up" open={() => signup(onDone)} />
          </Waiting>
        ),
      })
    const signup = (onDone?: () => void) =>
      modal.open({
        title: 'Sign Up',
        content: (
          <Waiting>
            <SignupForm onDone={closing(onDone)} checks="all" />
            <Instead question="Already one of us?" label="Log In" open={() => login(onDone)} />
          </Waiting>
        ),
      })
    return { login, signup }
  }, [modal])
}

/** The other of the two dialogs, in place of this one. */
const Instead = ({ question, label, open }: { question: string; label: string; open: () => void }) => (
  <p className="instead">
    <span>{question}</span>
    <button className="button quiet" type="button" onClick={open}>
      {label}
    </button>
  </p>
)

const Waiting = ({ children }: { children: React.ReactNode }) => (
  <Suspense fallback={<p>Loading...</p>}>{children}</Suspense>
)
