import type { ReactNode } from 'react'
import { Form, Link } from 'react-router'
import { REASON_LENGTH } from '#operators/contract.ts'
import { SLUGS } from '#pages/contract.ts'
import { TextField, useRules } from '#ui/fields.tsx'
import { Icon } from '#ui/icons.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useSending } from '#ui/use-sending.ts'
import type { DnsFinding, SetupState } from '../setup-contract.ts'
import { LOGGED } from './OperateRows.tsx'
import { OPERATE, type OperateResult } from './operate.route.ts'
import { validateIntent } from './operateIntents.ts'

/** What the test letter came to. */
const letters: Record<SetupState['letter'], string> = {
  none: 'Not tried yet.',
  waiting: 'It waits to be sent. Look again in a minute.',
  sent: 'It was sent. Look whether it has arrived, also in the spam folder.',
  failed: 'It could not be sent.',
}

interface SetupGuideProps {
  state: SetupState
  /** What the DNS says about the sender of letters. Undefined if it was not asked. */
  findings?: DnsFinding[] | undefined
  result: OperateResult | undefined
}

/** Leads operators through what a new shop needs, in any order. */
export function SetupGuide({ state, findings, result }: SetupGuideProps) {
  const busy = useSending()
  const button = (intent: string, label: string) => (
    <Form method="post" preventScrollReset>
      <SubmitButton className="button quiet" busy={busy} name="intent" value={intent}>
        {label}
      </SubmitButton>
    </Form>
  )
  return (
    <>
      <p>Five steps, in any order. Everything can be changed later, here and while the shop is open.</p>
      <ol className="rows">
        <Step title="Name and look" done={state.brand}>
          <p>What the shop is called, its logo, its colours and the picture of the front page.</p>
          <Link to={`${OPERATE}/brand`}>Choose name and look</Link>
        </Step>
        <Step title="Who may sell" done={state.selling}>
          <p>Everybody, whoever applies, or whoever you invite. At first it is everybody.</p>
          <Link to={`${OPERATE}/settings`}>Choose who may sell</Link>
        </Step>
        <Step title="Letters" done={state.letter === 'sent' && state.has_mail_server}>
          {!state.has_mail_server && (
            <p>
              There is no mail server yet: letters are files on this computer. Set SMTP_URL, as
              docs/operations.md says, and start the shop again.
            </p>
          )}
          <p>{letters[state.letter]}</p>
          {state.letter_error !== '' && <p className="quoted">{state.letter_error}</p>}
          {button('test-letter', 'Send me a letter')}
          {state.has_mail_server && (
            <p className="dns" id="dns">
              {'Receivers look up in the DNS who may send for your address. '}
              <Link className="alone" to="?dns#dns" preventScrollReset>
                Check the DNS records
              </Link>
            </p>
          )}
          <div role="status">{findings && <DnsFindings findings={findings} />}</div>
        </Step>
        <Step title="Pages" done={state.pages_published > 0}>
          <p>{`${state.pages_published} of ${SLUGS.length} are published. There are drafts to begin with.`}</p>
          <Link to={`${OPERATE}/pages`}>Write the pages</Link>
        </Step>
        <Step title="Somebody who helps" done={state.operators > 1}>
          <p>A second operator can help when you cannot, and answers objections against what you decided.</p>
          <Link to={`${OPERATE}/operators`}>Name another operator</Link>
        </Step>
      </ol>
      <p>Categories and the dollar sign are parts of this program, and stay.</p>
      {state.ended ? <p>The setup has ended. This page stays here.</p> : <EndSetup result={result} />}
    </>
  )
}

function EndSetup({ result }: Pick<SetupGuideProps, 'result'>) {
  const busy = useSending()
  const refused = result?.intent === 'end-setup' && !result.done ? result : undefined
  const { errors, form } = useRules(form => validateIntent('end-setup', form), refused?.fields)
  return (
    <Form method="post" preventScrollReset {...form}>
      <TextField
        label="Reason"
        name="reason"
        limit={REASON_LENGTH}
        defaultValue={refused?.typed?.reason ?? 'Everything is set up'}
        error={errors.reason}
        hint={LOGGED}
        dir="auto"
      />
      <SubmitButton busy={busy} name="intent" value="end-setup">
        End the setup
      </SubmitButton>
    </Form>
  )
}

/** What each record says, and what is missing. */
const DnsFindings = ({ findings }: { findings: DnsFinding[] }) => (
  <dl className="findings">
    {findings.map(({ record, is_fine, words }) => (
      <div key={record}>
        <dt>{`${record}: ${is_fine === null ? 'not known' : is_fine ? 'fine' : 'to do'}`}</dt>
        <dd>{words}</dd>
      </div>
    ))}
  </dl>
)

const Step = ({ title, done, children }: { title: string; done: boolean; children: ReactNode }) => (
  <li>
    <h2>
      {title}
      {done && (
        <>
          {' '}
          <span className="step-done">
            <Icon size={16} line={2.5} d="M5 12.5l4.5 4.5L19 7.5" />
            done
          </span>
        </>
      )}
    </h2>
    {children}
  </li>
)
