import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Icon } from './icons.tsx'
import './dialog.css'

interface DialogProps {
  title: string
  children: ReactNode
  /** Called once, however the dialog is closed: its button, Escape or a click beside it. */
  onClose: () => void
}

/** The platform's own modal dialog: it holds the focus and gives it back. */
function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // Before the element leaves the document: closed after that, it would not give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes a dialog with Escape, which the browser does
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={event => {
        // The owner takes the dialog away; the browser closing it as well would report it twice.
        event.preventDefault()
        onClose()
      }}
      onClick={event => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="dialog-close" aria-label="Close" onClick={onClose}>
            <Icon d="M6 6l12 12M18 6L6 18" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

interface Modal {
  title: string
  content: ReactNode
  onClose?: () => void
}
interface ModalControl {
  /** Shows content in a dialog, in place of one that is open. Back closes it, as its button does. */
  open(modal: Modal): void
  /** Closes the open dialog and runs its on-close callback once. Fulfilled once the history is as before the dialog. */
  close(): Promise<void>
}

const ModalContext = createContext<ModalControl | undefined>(undefined)

/** Opens and closes the one modal of the page. */
export function useModal(): ModalControl {
  const control = useContext(ModalContext)
  if (!control) throw new Error('useModal needs a ModalProvider around it')
  return control
}

/** Whether a history entry is that of a modal: a second one for the page beneath, which Back leaves. */
const isModals = (state: unknown): boolean => Boolean((state as { modal?: true } | null)?.modal)

/** Hears of Back and Forward before the router does. */
let onTraversal: ((event: PopStateEvent) => void) | undefined
// As soon as this is loaded: listeners of the window are told in their order, and the router comes later.
if ('document' in globalThis) addEventListener('popstate', event => onTraversal?.(event))

/** Holds the one modal that can be open on top of any page. */
export function ModalProvider({ children }: { children: ReactNode }) {
  const [modal, setModal] = useState<Modal>()
  const current = useRef<Modal>(undefined)
  const { key } = useLocation()
  /** The page that is shown, as the router calls its history entry. */
  const page = useRef(key)
  /** Whether the history stands on the entry of a modal. */
  const standing = useRef(false)
  /** Its way back to the entry of the page, while that takes. */
  const leaving = useRef<{ promise: Promise<void>; end: () => void }>(undefined)
  const finish = useCallback(() => {
    const closing = current.current
    current.current = undefined
    setModal(undefined)
    closing?.onClose?.()
  }, [])
  const close = useCallback(async () => {
    finish()
    if (standing.current && !leaving.current) {
      let end = () => {}
      const promise = new Promise<void>(resolve => {
        end = resolve
      })
      leaving.current = { promise, end }
      history.back()
    }
    await leaving.current?.promise
  }, [finish])
  const open = useCallback((next: Modal) => {
    current.current = next
    setModal(next)
    void Promise.resolve(leaving.current?.promise).then(() => {
      if (standing.current || !current.current) return
      standing.current = true
      history.pushState({ ...history.state, modal: true }, '')
    })
  }, [])
  useEffect(() => {
    // Whoever goes to another page, leaves the modal behind.
    if (page.current !== key && current.current) finish()
    page.current = key
    standing.current = isModals(history.state)
  }, [key, finish])
  useEffect(() => {
    const heard = (event: PopStateEvent) => {
      const { state } = event
      const isSamePage = (state?.key ?? 'default') === page.current
      if (isSamePage && (standing.current || isModals(state))) {
        // Between a page and its modal: the router has nothing to load.
        event.stopImmediatePropagation()
        standing.current = isModals(state)
        if (!leaving.current) finish()
      }
      leaving.current?.end()
      leaving.current = undefined
    }
    onTraversal = heard
    return () => {
      onTraversal = undefined
    }
  }, [finish])
  const control = useMemo(() => ({ open, close }), [open, close])
  return (
    <ModalContext value={control}>
      {children}
      {modal && (
        <Dialog key={modal.title} title={modal.title} onClose={close}>
          {modal.content}
        </Dialog>
      )}
    </ModalContext>
  )
}

/** State of a link or a form that opens its address as a dialog over the page it is on. */
export const asDialog = { dialog: true } as const

/** Whether the current address was opened as a dialog. Opened directly it is a page. */
export const useIsDialog = (): boolean =>
  Boolean((useLocation().state as { dialog?: boolean } | null)?.dialog)

/** What an address shows: a dialog over the page it was opened from, or a page of its own. Closing leads to `back`. */
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
