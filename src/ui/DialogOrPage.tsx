import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Dialog } from './Dialog.tsx'

/** State of a link or form whose address opens as a dialog. */
export const asDialog = { dialog: true } as const

/** Whether the address was opened as a dialog. Loaded directly it is a page. */
export const useIsDialog = (): boolean =>
  Boolean((useLocation().state as { dialog?: boolean } | null)?.dialog)

/** Shows an address as a dialog over the page it was opened from, or as a page. Closing leads to `back`. */
export function DialogOrPage({
  title,
  back,
  children,
}: {
  title: string
  back: string
  children: ReactNode
}) {
  const navigate = useNavigate()
  if (useIsDialog()) {
    return (
      <Dialog title={title} onClose={() => navigate(back, { replace: true, preventScrollReset: true })}>
        {children}
      </Dialog>
    )
  }
  return (
    <section className="narrow">
      <h1>{title}</h1>
      {children}
    </section>
  )
}
