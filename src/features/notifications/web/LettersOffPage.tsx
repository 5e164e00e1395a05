import { Form, Link, useActionData, useLoaderData } from 'react-router'
import { Problems } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { useSending } from '#ui/use-sending.ts'
import type { action, loader } from './lettersOff.route.ts'

/** Where the link of a letter leads: one button, without a login. */
export function Page() {
  const { about, problems } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const status = useFocusOnResult<HTMLDivElement>(result?.about)
  const busy = useSending()
  return (
    <section className="narrow">
      <h1>Letters</h1>
      <Problems messages={result?.problems ?? problems} />
      <div role="status" tabIndex={-1} ref={status}>
        {result?.about && <p className="success">{`You get no more letters about ${result.about}.`}</p>}
      </div>
      {about && !result?.about && (
        <Form method="post">
          <p>{`Do you want no more letters about ${about}?`}</p>
          {/* The body that mail services send (RFC 8058). */}
          <SubmitButton busy={busy} name="List-Unsubscribe" value="One-Click">
            Send me no more
          </SubmitButton>
        </Form>
      )}
      <p>
        {result?.about ? 'If you want them again: ' : 'All your letters: '}
        <Link to="/settings/letters">Settings, Letters</Link>
      </p>
    </section>
  )
}
