import { Form, useActionData, useLoaderData, useLocation } from 'react-router'
import { useUser } from '#accounts/web/session.ts'
import { Problems, SelectField, TextAreaField, TextField, useRules } from '#ui/fields.tsx'
import { useFlash } from '#ui/flash.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import { GROUNDS, REPORT_LENGTH } from '../notices-contract.ts'
import { DONE, type loader, type ReportResult, validateReport } from './report.route.ts'
import './operate.css'

const whats = {
  listing: 'the piece',
  review: 'a review of',
  reply: 'a reply to a review of',
  shop: 'the maker',
} as const

/** The form to report a piece, a review, a reply or a maker, also without an account. */
export function Page() {
  return <Report key={useLocation().search} />
}

function Report() {
  const { about, name, words } = useLoaderData<typeof loader>()
  const flash = useFlash<ReportResult>(DONE)
  const result = useActionData<ReportResult>() ?? flash
  const status = useFocusOnResult<HTMLParagraphElement>(result?.done)
  const busy = useSending()
  const user = useUser()
  const { errors, form } = useRules(validateReport, result?.fields)
  return (
    <section className="narrow">
      <h1>Report</h1>
      <p dir="auto">{`You report ${whats[about]} ${name} to those who run the shop.`}</p>
      {about === 'shop' && (
        <p>
          That is their page with all that stands on it: its name, its words, its pictures and what it says
          about buying.
        </p>
      )}
      {words && (
        <p className="quoted" dir="auto">
          {words}
        </p>
      )}
      <p className="success" role="status" tabIndex={-1} ref={status}>
        {result?.done}
      </p>
      {!result?.done && (
        <Form method="post" {...form}>
          <Problems messages={result?.problems} />
          <SelectField
            label="What is wrong"
            name="grounds"
            error={errors.grounds}
            defaultValue={result?.typed?.grounds ?? ''}
            key={result?.typed?.grounds}
          >
            <option value="">Please choose</option>
            {Object.entries(GROUNDS).map(([grounds, words]) => (
              <option key={grounds} value={grounds}>
                {words}
              </option>
            ))}
          </SelectField>
          <TextAreaField
            label="Please say more"
            name="words"
            rows={5}
            limit={REPORT_LENGTH}
            dir="auto"
            error={errors.words}
            defaultValue={result?.typed?.words}
          />
          {!user && (
            <TextField
              label="Your email address"
              name="email"
              type="email"
              autoComplete="email"
              hint="For questions about it. It can stay empty."
              error={errors.email}
              defaultValue={result?.typed?.email}
            />
          )}
          <SubmitButton busy={busy}>Send the report</SubmitButton>
        </Form>
      )}
    </section>
  )
}
