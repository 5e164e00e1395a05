import { Form, useActionData, useLoaderData } from 'react-router'
import { AccountField } from '#accounts/web/AccountField.tsx'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { SettingsPage } from '#accounts/web/SettingsPage.tsx'
import { Problems, TextField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useResultCount } from '#ui/use-result-count.ts'
import { useSending } from '#ui/use-sending.ts'
import { MAX_SECTIONS, SECTION_NAME_LENGTH, type Section } from '../contract.ts'
import { DONE, type loader, SECTIONS, type SectionsResult, validateSection } from './sections.route.ts'
import './sections.css'

/** The sections of the user's shop: to add, name, order and remove. */
export function Page() {
  const own = useLoaderData<typeof loader>()
  const sections = own?.sections ?? []
  const sent = useActionData<SectionsResult>()
  const flash = useFlash<SectionsResult>(DONE)
  const result = sent ?? flash
  const status = useFocusOnResult<HTMLParagraphElement>(result?.done && result)
  const isNew = result?.id === undefined
  const added = useResultCount(result?.done === DONE.added.done ? result : undefined)
  return (
    <SettingsPage title="Sections">
      <p>
        Sections are parts of your shop page, such as “Bowls” and “Mugs”. You choose the section of a piece in
        its form.
      </p>
      <p className="success" role="status" tabIndex={-1} ref={status}>
        {result?.done}
      </p>
      <Problems messages={result?.problems} />
      {(own === null || result?.loginNeeded) && <LoginNeeded />}
      {sections.length > 0 && (
        <ol className="own-sections">
          {sections.map((section, index) => (
            <Item
              key={`${section.id} ${section.name}`}
              section={section}
              place={index + 1}
              isLast={index === sections.length - 1}
              result={result?.id === section.id ? result : undefined}
            />
          ))}
        </ol>
      )}
      {sections.length >= MAX_SECTIONS && !(isNew && result?.typed) ? (
        <p>{`You have ${MAX_SECTIONS} sections, which is the most.`}</p>
      ) : (
        // A new form after each section that was added.
        <NewSection key={added} result={isNew ? result : undefined} />
      )}
    </SettingsPage>
  )
}

function NewSection({ result }: { result: SectionsResult | undefined }) {
  const busy = useSending()
  const { errors, form } = useRules(validateSection, result?.fields)
  return (
    <Form method="post" action={SECTIONS} {...form}>
      <AccountField typed={result?.account} />
      <TextField
        label="New section"
        name="name"
        limit={SECTION_NAME_LENGTH}
        dir="auto"
        error={errors.name}
        defaultValue={result?.typed}
      />
      <SubmitButton busy={busy} name="intent" value="add">
        Add the section
      </SubmitButton>
    </Form>
  )
}

interface ItemProps {
  section: Section
  /** From 1. */
  place: number
  isLast: boolean
  /** Of its own form. */
  result: SectionsResult | undefined
}

function Item({ section: { id, name, listings }, place, isLast, result }: ItemProps) {
  const busy = useSending()
  const { errors, form } = useRules(validateSection, result?.fields)
  const pieces = listings === 1 ? '1 listing' : `${listings} listings`
  return (
    <li>
      <h2 dir="auto">{name}</h2>
      <p className="hint">{pieces}</p>
      <div className="actions" hidden={place === 1 && isLast}>
        {place > 1 && <Move id={id} to={place - 1} label="Move up" name={name} />}
        {!isLast && <Move id={id} to={place + 1} label="Move down" name={name} />}
      </div>
      <details open={result !== undefined}>
        <summary className="link" aria-label={`Rename or remove ${name}`}>
          Rename or remove
        </summary>
        <Form className="rename" method="post" action={SECTIONS} preventScrollReset {...form}>
          <input type="hidden" name="id" value={id} />
          <TextField
            label="Name"
            name="name"
            limit={SECTION_NAME_LENGTH}
            dir="auto"
            error={errors.name}
            defaultValue={result?.typed ?? name}
          />
          <SubmitButton className="button quiet" busy={busy} name="intent" value="rename">
            Save the name
          </SubmitButton>
        </Form>
        <Form method="post" action={SECTIONS} preventScrollReset>
          <input type="hidden" name="id" value={id} />
          {listings > 0 && (
            <p>{`Its ${pieces} ${listings === 1 ? 'stays' : 'stay'} in your shop, without a section.`}</p>
          )}
          <SubmitButton
            className="button danger"
            busy={busy}
            name="intent"
            value="remove"
            aria-label={`Remove the section ${name}`}
          >
            Remove the section
          </SubmitButton>
        </Form>
      </details>
    </li>
  )
}

interface MoveProps {
  id: number
  /** The new place, from 1. */
  to: number
  label: string
  name: string
}

function Move({ id, to, label, name }: MoveProps) {
  const busy = useSending()
  return (
    <Form method="post" action={SECTIONS} preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="position" value={to} />
      <SubmitButton
        className="button quiet"
        busy={busy}
        name="intent"
        value="move"
        aria-label={`${label}: ${name}`}
      >
        {label}
      </SubmitButton>
    </Form>
  )
}
