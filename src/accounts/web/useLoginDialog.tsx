import { lazy, Suspense, useCallback } from 'react'
import { useModal } from '#web/Dialog.tsx'

// The forms bring the rules with them; a visitor who only looks around need not load them.
const LoginForm = lazy(async () => ({ default: (await import('./LoginForm.tsx')).LoginForm }))
const SignupForm = lazy(async () => ({ default: (await import('./SignupForm.tsx')).SignupForm }))

/** Opens login or signup over the page; after success the page stays. A login then tells `onDone`. */
export function useLoginDialog() {
  const modal = useModal()
  const login = useCallback(
    (onDone?: () => void) =>
      modal.open({
        title: 'Log In',
        content: (
          <Waiting>
            <LoginForm
              onDone={() => {
                modal.close()
                onDone?.()
              }}
            />
          </Waiting>
        ),
      }),
    [modal],
  )
  const signup = useCallback(
    () =>
      modal.open({
        title: 'Sign Up',
        content: (
          <Waiting>
            <SignupForm onDone={modal.close} checks="all" />
          </Waiting>
        ),
      }),
    [modal],
  )
  return { login, signup }
}

const Waiting = ({ children }: { children: React.ReactNode }) => (
  <Suspense fallback={<p>Loading...</p>}>{children}</Suspense>
)
