import { useState } from 'react'
import { Form } from 'react-router'
import { MakerLink } from '#accounts/web/MakerLink.tsx'
import { formatDate, formatMoment } from '#format-date'
import {
  type Invitation,
  MAX_DAYS,
  MAX_USES,
  NOTE_LENGTH,
  type OpenApplication,
} from '#onboarding/contract.ts'
import { Empty } from '#ui/Empty.tsx'
import { TextField, useRules } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import { LOGGED, OnceLink } from './OperateRows.tsx'
import type { OperateResult } from './operate.route.ts'
import { validateIntent } from './operateIntents.ts'
import { ReasonForm } from './ReasonForm.tsx'

interface Props {
  applications: OpenApplication[]
  invitations: Invitation[]
  result: OperateResult | undefined
}

/** Applications to sell, oldest first, and invitations, newest first. */
export function NewMakers({ applications, invitations, result }: Props) {
  return (
    <>
      <section aria-labelledby="applications">
        <h2 id="applications">Applications</h2>
        {applications.length === 0 ? (
          <Empty drawing="wool" text="No application waits for an answer" />
        ) : (
          <ul className="rows">
            {applications.map(application => (
              <li key={application.id}>
                <ApplicationItem application={application} result={result} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="invitations">
        <h2 id="invitations">Invitations</h2>
        <p>A link lets as many people sell as it says. Whoever has it can use it.</p>
        <InviteForm result={result} />
        <ul className="rows">
          {invitations.map(invitation => (
            <li key={invitation.id}>
              <InvitationItem invitation={invitation} result={result} />
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

const READ = 'They get it as a letter.'

function ApplicationItem({
  application: { id, words, created_at, username, name, email, email_confirmed },
  result,
}: {
  application: OpenApplication
  result: OperateResult | undefined
}) {
  return (
    <>
      <h3 dir="auto">{name}</h3>
      <p className="when">
        {`${formatMoment(created_at)}, `}
        <MakerLink username={username} />
        {`, ${email}${email_confirmed ? '' : ', which is not confirmed'}`}
      </p>
      <p className="quoted" dir="auto">
        {words}
      </p>
      <ReasonForm
        intent="accept-application"
        id={id}
        label="Accept"
        about={name}
        hint={READ}
        result={result}
      />
      <ReasonForm
        intent="refuse-application"
        id={id}
        label="Refuse"
        about={name}
        hint={READ}
        result={result}
      />
    </>
  )
}

const stateOf = ({ uses, uses_left, expires_at, revoked }: Invitation): string => {
  const used = `Used by ${uses} of ${uses + uses_left}.`
  if (revoked) return `${used} Taken back.`
  return `${used} ${new Date(expires_at) < new Date() ? 'Too old since' : 'Holds until'} ${formatDate(expires_at)}.`
}

function InvitationItem({
  invitation,
  result,
}: {
  invitation: Invitation
  result: OperateResult | undefined
}) {
  const { id, note, revoked } = invitation
  return (
    <>
      <h3 dir="auto">{note}</h3>
      <p className="when">{stateOf(invitation)}</p>
      {!revoked && (
        <ReasonForm
          intent="revoke-invitation"
          id={id}
          label="Take back"
          about={note}
          hint={LOGGED}
          result={result}
        />
      )}
    </>
  )
}

function InviteForm({ result }: { result: OperateResult | undefined }) {
  const busy = useSending()
  const mine = result?.intent === 'invite' ? result : undefined
  // Empty again after its own success, not after that of another form of the page.
  const [made, setMade] = useState(mine?.link)
  if (mine?.link && mine.link !== made) setMade(mine.link)
  const refused = mine?.done ? undefined : mine
  const { errors, form } = useRules(form => validateIntent('invite', form), refused?.fields)
  return (
    <Form method="post" preventScrollReset key={made} {...form}>
      {mine?.link && (
        <p className="quoted">
          <OnceLink path={mine.link} />
        </p>
      )}
      <TextField
        label="For whom"
        name="note"
        limit={NOTE_LENGTH}
        dir="auto"
        error={errors.note}
        defaultValue={refused?.typed?.note}
      />
      <TextField
        label="How many people"
        name="uses"
        type="number"
        min={1}
        max={MAX_USES}
        error={errors.uses}
        defaultValue={refused?.typed?.uses || '1'}
      />
      <TextField
        label="How many days it holds"
        name="days"
        type="number"
        min={1}
        max={MAX_DAYS}
        error={errors.days}
        defaultValue={refused?.typed?.days || '14'}
      />
      <SubmitButton className="button quiet" busy={busy} name="intent" value="invite">
        Make a link
      </SubmitButton>
    </Form>
  )
}
