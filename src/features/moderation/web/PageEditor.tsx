import type { ReactNode } from 'react'
import { Form, Link, useSearchParams } from 'react-router'
import { formatMoment } from '#format-date'
import { REASON_LENGTH } from '#operators/contract.ts'
import { type EditedPage, TEXT_LENGTH } from '#pages/contract.ts'
import { Written } from '#pages/web/Written.tsx'
import { Problems, TextAreaField, TextField, useRules } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useFormBase } from '#ui/use-form-base.ts'
import { useResultCount } from '#ui/use-result-count.ts'
import { useSending } from '#ui/use-sending.ts'
import { LOGGED } from './OperateRows.tsx'
import { DONE, type EditorResult, PAGES, stateOf } from './pages.route.ts'
import { StillOpen } from './StillOpen.tsx'
import { validatePage } from './savePage.ts'
import '#pages/web/pages.css'

interface Props {
  /** Null if the operator session has ended: only the typed text is left. */
  page: EditedPage | null
  result: EditorResult | undefined
}

/** The reason that a page suggests before its first version. */
const FIRST_REASON = 'The shop needs this page'

/** Writes a page: draft, preview, publishing and history. */
export function PageEditor({ page, result }: Props) {
  const busy = useSending({ needsNewVersion: true })
  // A reason is used up by what goes into the log. A saved draft keeps it.
  const changes = useResultCount(result?.done && result.done !== DONE.saved.done ? result : undefined)
  const { errors, form } = useRules(validatePage, result?.fields)
  // Opening another version resets the text field; a newer version saved meanwhile does not.
  const opened = useSearchParams()[0].get('version') ?? ''
  const begun = useFormBase(page, opened)
  // Optimistic locking: until the version conflict is shown, the form keeps the version that it was filled from.
  const base = begun && (result?.typed === undefined || result.changed) ? begun.base : result?.base
  const button = (intent: string, label: string, className = 'button quiet') => (
    <SubmitButton className={className} busy={busy} name="intent" value={intent}>
      {label}
    </SubmitButton>
  )
  return (
    <>
      {page && <p>{stateOf(page)}</p>}
      <Problems messages={result?.problems} />
      {result?.closed && <StillOpen />}
      <Form method="post" encType="multipart/form-data" preventScrollReset {...form}>
        <input type="hidden" name="base" value={base ?? ''} />
        <input type="hidden" name="version" value={begun?.shown ?? ''} />
        <TextAreaField
          label="Text"
          name="text"
          rows={20}
          limit={TEXT_LENGTH}
          dir="auto"
          hint="Markdown: ## for a heading, - for a list, **bold**, [words](https://address). No HTML and no pictures."
          defaultValue={result?.typed ?? page?.text}
          // Other than the key of the reason.
          key={`version ${opened}`}
        />
        {page && page.blanks.length > 0 && (
          <p>{`Fill in what is in brackets before you publish: ${page.blanks.join(' ')}`}</p>
        )}
        <p className="hint">
          Our drafts are a beginning, and no legal advice. Have somebody read them who knows your law.
        </p>
        <p className="actions">
          {button('save', 'Save the draft', 'button')}
          {button('preview', 'Preview')}
        </p>
        <TextField
          key={changes}
          label="Reason"
          name="reason"
          limit={REASON_LENGTH}
          defaultValue={result?.reason ?? (page?.base === null ? FIRST_REASON : '')}
          error={errors.reason}
          hint={`For publishing, taking back and “At signup”. ${LOGGED}`}
          dir="auto"
        />
        <p className="actions">
          {button('publish', 'Publish')}
          {page?.published_at && button('take-back', 'Take back')}
        </p>
        {page && (
          <AtSignup page={page} agreed={result?.agreed}>
            {button('agreement', 'Save')}
          </AtSignup>
        )}
      </Form>
      {result?.preview && <Preview result={result} />}
      {page && <History page={page} />}
    </>
  )
}

interface AtSignupProps {
  page: EditedPage
  /** The tick of the form that was sent and is shown again. */
  agreed: boolean | undefined
  children: ReactNode
}

/** Whether new members agree to the page. */
const AtSignup = ({ page, agreed, children }: AtSignupProps) => (
  <div className="choices">
    <fieldset aria-describedby="at-signup-hint">
      <legend>At signup</legend>
      {/* Each button that saves, saves a changed checkbox too. An unchanged one keeps what another operator has saved meanwhile. */}
      {page.agreed_at_signup && <input type="hidden" name="agreed_before" value="on" />}
      <label>
        <input
          key={String(page.agreed_at_signup)}
          type="checkbox"
          name="agreed_at_signup"
          defaultChecked={agreed ?? page.agreed_at_signup}
        />
        New members agree to this page
      </label>
    </fieldset>
    <p className="hint" id="at-signup-hint">
      While a version is published. Who agreed to which version, and when, is kept with the account. Those who
      have an account are not asked.
    </p>
    <p className="actions">{children}</p>
  </div>
)

function Preview({ result }: { result: EditorResult }) {
  const heading = useFocusOnResult<HTMLHeadingElement>(result)
  return (
    <section aria-labelledby="page_preview" className="written">
      <h2 id="page_preview" tabIndex={-1} ref={heading}>
        Preview
      </h2>
      <Written steps={result.preview ?? []} />
    </section>
  )
}

const History = ({ page: { slug, versions, shown, published_version } }: { page: EditedPage }) =>
  versions.length > 0 && (
    <section aria-labelledby="page_history">
      <h2 id="page_history">History</h2>
      <p>An older text that you open here becomes a new draft when you save it.</p>
      <ul className="rows">
        {versions.map(({ id, created_at, author }) => (
          <li key={id}>
            <Link to={`${PAGES}/${slug}?version=${id}`} aria-current={id === shown || undefined}>
              {`Version ${id}`}
            </Link>
            <p className="when">
              {`${formatMoment(created_at)}, by ${author ?? 'a deleted account'}`}
              {id === published_version && ', published'}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
