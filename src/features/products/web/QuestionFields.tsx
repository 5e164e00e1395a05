import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FieldErrors } from '#problem'
import { SelectField, TextAreaField, TextField } from '#ui/fields.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import { BLOCKS, controlsOf } from '../form-questions.ts'
import {
  ANSWER_LENGTH,
  INSTRUCTIONS_LENGTH,
  MAX_OPTIONS,
  OPTION_LENGTH,
  QUESTION_LENGTH,
} from '../questions-contract.ts'

interface Props {
  /** Typed or saved, by control. */
  texts: Record<string, string>
  errors: FieldErrors
}

/** What the shopper is asked. Without scripts every block is there; with them, those that are filled and those that are added. */
export function QuestionFields({ texts, errors }: Props) {
  const scripted = useHydrated()
  const blocks = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(() =>
    BLOCKS.filter(n => Object.values(controlsOf(n)).some(control => texts[control] || errors[control])),
  )
  // What was typed before the scripts came.
  useEffect(() => {
    const isTyped = (control: string) =>
      blocks.current?.querySelector<HTMLInputElement>(`[name=${control}]`)?.value
    setOpen(open =>
      BLOCKS.filter(n => open.includes(n) || Object.values(controlsOf(n)).some(control => isTyped(control))),
    )
  }, [])
  const free = BLOCKS.find(n => !open.includes(n))
  const titleIn = (n: number) =>
    blocks.current?.querySelector<HTMLInputElement>(`[name=${controlsOf(n).title}]`)
  const add = (n: number) => {
    flushSync(() => setOpen([...open, n]))
    titleIn(n)?.focus()
  }
  const remove = (n: number) => {
    for (const control of titleIn(n)?.closest('fieldset')?.querySelectorAll('input, textarea, select') ?? [])
      (control as HTMLInputElement).value = ''
    titleIn(n)?.dispatchEvent(new Event('input', { bubbles: true }))
    flushSync(() => setOpen(open.filter(other => other !== n)))
    blocks.current?.querySelector<HTMLElement>('.add-question')?.focus()
  }
  return (
    <div className="questions" ref={blocks}>
      <p className="hint">
        What you need to know to make it: a name, a size, a colour. The answers come with the order.
      </p>
      {BLOCKS.map(n => (
        <Block key={n} n={n} texts={texts} errors={errors} hidden={scripted && !open.includes(n)}>
          {scripted && (
            <button className="button quiet" type="button" onClick={() => remove(n)}>
              {`Remove question ${n}`}
            </button>
          )}
        </Block>
      ))}
      {scripted && free !== undefined && (
        <button className="button quiet add-question" type="button" onClick={() => add(free)}>
          Add a question
        </button>
      )}
    </div>
  )
}

function Block({
  n,
  texts,
  errors,
  hidden,
  children,
}: Props & { n: number; hidden: boolean; children: React.ReactNode }) {
  const controls = controlsOf(n)
  const field = (name: keyof typeof controls) => ({
    name: controls[name],
    error: errors[controls[name]],
    defaultValue: texts[controls[name]] ?? '',
  })
  return (
    <fieldset hidden={hidden}>
      <legend>{`Question ${n}`}</legend>
      <TextField
        label="What you ask"
        hint="Such as “Name on the mug”"
        limit={QUESTION_LENGTH}
        dir="auto"
        {...field('title')}
      />
      <TextField label="Instructions" limit={INSTRUCTIONS_LENGTH} dir="auto" {...field('instructions')} />
      <SelectField label="Must it be answered?" {...field('required')}>
        <option value="">No</option>
        <option value="yes">Yes</option>
      </SelectField>
      <TextField
        label="Longest answer"
        hint={`Characters, at most ${ANSWER_LENGTH}`}
        inputMode="numeric"
        {...field('max_length')}
      />
      <TextAreaField
        label="Options"
        rows={3}
        hint={`To let the shopper choose: one on each line, at most ${MAX_OPTIONS} of ${OPTION_LENGTH} characters`}
        dir="auto"
        {...field('options')}
      />
      {children}
    </fieldset>
  )
}
