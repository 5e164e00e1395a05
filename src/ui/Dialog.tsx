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
import { useLocation } from 'react-router'
import { Icon } from './icons.tsx'
import './dialog.css'

interface DialogProps {
  title: string
  children: ReactNode
  /** Called once, however it is closed: button, Escape or outside click. */
  onClose: () => void
}

/** A native modal dialog: it traps and returns the focus. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isPressedOutside = useRef(false)
  const titleId = useId()
  // Before the element is removed: otherwise the focus would not return.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog with Escape
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={event => {
        // The owner removes the dialog; closing by the browser would report it twice.
        event.preventDefault()
        onClose()
      }}
      // A text that is selected from within to outside ends in a click on the dialog too.
      onPointerDown={event => {
        isPressedOutside.current = event.target === event.currentTarget
      }}
      onClick={event => {
        if (event.target === event.currentTarget && isPressedOutside.current) onClose()
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
  /** Opens content in a dialog, replacing an open one. Back closes it. */
  open(modal: Modal): void
  /** Closes the dialog and calls its `onClose` once. Resolves when the history is as before the dialog. */
  close(): Promise<void>
}

const ModalContext = createContext<ModalControl | undefined>(undefined)

/** Opens and closes the page's modal. */
export function useModal(): ModalControl {
  const control = useContext(ModalContext)
  if (!control) throw new Error('useModal needs a ModalProvider around it')
  return control
}

/** Whether a history entry belongs to a modal: a second one for the page below, which Back leaves. */
const isModals = (state: unknown): boolean => Boolean((state as { modal?: true } | null)?.modal)

/** Sees Back and Forward before the router. */
let onTraversal: ((event: PopStateEvent) => void) | undefined
// Registered on import, before the router's: window listeners run in order of registration.
if ('document' in globalThis) addEventListener('popstate', event => onTraversal?.(event))

/** Holds the one modal of the page. */
export function ModalProvider({ children }: { children: ReactNode }) {
  const [modal, setModal] = useState<Modal>()
  const current = useRef<Modal>(undefined)
  const { key } = useLocation()
  /** Key of the page's history entry. */
  const page = useRef(key)
  /** Whether the history is at a modal's entry. */
  const hasEntry = useRef(false)
  /** Pending navigation back to the page's entry. */
  const leaving = useRef<{ promise: Promise<void>; end: () => void }>(undefined)
  const finish = useCallback(() => {
    const closing = current.current
    current.current = undefined
    setModal(undefined)
    closing?.onClose?.()
  }, [])
  const close = useCallback(async () => {
    finish()
    if (hasEntry.current && !leaving.current) {
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
      if (hasEntry.current || !current.current) return
      hasEntry.current = true
      history.pushState({ ...history.state, modal: true }, '')
    })
  }, [])
  useEffect(() => {
    // Navigation closes the modal.
    if (page.current !== key && current.current) finish()
    page.current = key
    hasEntry.current = isModals(history.state)
  }, [key, finish])
  useEffect(() => {
    const onPopState = (event: PopStateEvent) => {
      const { state } = event
      const isSamePage = (state?.key ?? 'default') === page.current
      if (isSamePage && (hasEntry.current || isModals(state))) {
        // Between a page and its modal the router has nothing to load.
        event.stopImmediatePropagation()
        hasEntry.current = isModals(state)
        if (!leaving.current) finish()
      }
      leaving.current?.end()
      leaving.current = undefined
    }
    onTraversal = onPopState
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
