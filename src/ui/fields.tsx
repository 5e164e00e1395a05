import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useActionData, useNavigation } from 'react-router'
import type { FieldErrors } from '#problem'
import { CharacterCounter } from './CharacterCounter.tsx'
import { isInUse } from './is-changed.ts'
import { useResultCount } from './use-result-count.ts'
import './fields.css'

interface Labelled {
  label: string
  name: string
  error?: string | undefined
  hint?: ReactNode
  /** Maximum length; shows a character counter. */
  limit?: number
}

/** Label, control, hint and error of one field, linked by ARIA attributes. */
function Field({
  label,
  error,
  hint,
  limit,
  id,
  children,
}: Omit<Labelled, 'name'> & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {(hint || limit) && (
        <div className="below">
          {hint && (
            <p className="hint" id={`${id}-hint`}>
              {hint}
            </p>
          )}
          {limit && <CharacterCounter id={id} limit={limit} />}
        </div>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** ARIA attributes that link a control to its hint and error. */
const describedBy = (id: string, { error, hint }: Pick<Labelled, 'error' | 'hint'>) => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
})

/**
 * @param unit shown in front of the number; label or hint must name it for screen readers
 * @param after a button at the end of the field
 */
export function TextField({
  label,
  error,
  hint,
  limit,
  unit,
  after,
  ...input
}: Labelled & ComponentProps<'input'> & { unit?: string; after?: ReactNode }) {
  const id = useId()
  let control = <input {...input} {...describedBy(id, { error, hint })} />
  if (unit)
    control = (
      <div className="with-unit">
        <span aria-hidden="true">{unit}</span>
        {control}
      </div>
    )
  // Also before there is a button, so that the input stays the same element.
  if (after !== undefined)
    control = (
      <div className="with-button">
        {control}
        {after}
      </div>
    )
  return <Field {...{ label, error, hint, limit, id }}>{control}</Field>
}

/** A labelled textarea with error and hint, and with `limit` a character counter. */
export function TextAreaField({
  label,
  error,
  hint,
  limit,
  ...input
}: Labelled & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <Field {...{ label, error, hint, limit, id }}>
      <textarea {...input} {...describedBy(id, { error, hint })} />
    </Field>
  )
}

/** A labelled select with error and hint. Its children are the options. */
export function SelectField({ label, error, hint, children, ...input }: Labelled & ComponentProps<'select'>) {
  const id = useId()
  return (
    <Field {...{ label, error, hint, id }}>
      <select {...input} {...describedBy(id, { error, hint })}>
        {children}
      </select>
    </Field>
  )
}

/**
 * Errors of no single field, announced and scrolled into the window when they appear, and again for each result.
 * @param of the result that has them; default: that of the page's action
 */
export function Problems({
  messages,
  of,
}: {
  messages: string[] | undefined
  of?: object | null | undefined
}) {
  const sent = useActionData<object>()
  const count = useResultCount(of === undefined ? sent : (of ?? undefined))
  return messages && messages.length > 0 ? <ProblemList key={count} messages={messages} /> : null
}

function ProblemList({ messages }: { messages: string[] }) {
  const list = useRef<HTMLDivElement>(null)
  // The button may be further down.
  useEffect(() => scrollTo(list.current), [])
  const { state } = useNavigation()
  const before = useRef(state)
  // The button that had the focus may be gone, once the page has loaded its data again.
  useEffect(() => {
    const isLoaded = before.current !== 'idle' && state === 'idle'
    before.current = state
    if (isLoaded && document.activeElement === document.body) list.current?.focus({ preventScroll: true })
  }, [state])
  return (
    <div className="problems" role="alert" tabIndex={-1} ref={list}>
      <ul>
        {[...new Set(messages)].map(message => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  )
}

const scrollTo = (element: Element | null | undefined): void =>
  // Newer browsers return a promise, which an effect must not return.
  void element?.scrollIntoView({ block: 'nearest' })

/**
 * Validates a form on submit, and after the first attempt on every change. An invalid form is not sent; its first
 * invalid field gets the focus. `refused` has the server's messages.
 */
export function useRules(
  check: (form: FormData) => FieldErrors | undefined,
  refused: FieldErrors | undefined,
) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>(refused ?? {})
  const [isTried, setIsTried] = useState(refused !== undefined)
  const [refusals, setRefusals] = useState(isTried ? 1 : 0)
  const known = useRef(refused)
  useEffect(() => {
    if (!refused || refused === known.current) return
    known.current = refused
    setErrors(refused)
    setIsTried(true)
    setRefusals(count => count + 1)
  }, [refused])
  // On each refusal, not on each keystroke. Not for a page that was loaded with errors if the user has already started.
  const arrived = useRef(refused !== undefined)
  useEffect(() => {
    const keepFocus = arrived.current && isInUse(form.current)
    arrived.current = false
    if (refusals === 0 || keepFocus) return
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (invalid) invalid.focus()
    else scrollTo(form.current?.querySelector('.error, .problems'))
  }, [refusals])
  /** The button that was pressed last: the rules may depend on it. */
  const pressed = useRef<HTMLElement>(null)
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    pressed.current = submitter
    const found = check(new FormData(event.currentTarget, submitter))
    setErrors(found ?? {})
    setIsTried(true)
    if (!found) return
    event.preventDefault()
    setRefusals(count => count + 1)
  }
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    // The button may be gone since.
    const button = event.currentTarget.contains(pressed.current) ? pressed.current : null
    if (isTried) setErrors(check(new FormData(event.currentTarget, button)) ?? {})
  }
  return { errors, form: { ref: form, onSubmit, onInput, noValidate: true } }
}
