import { Form, Link } from 'react-router'
import { LoginNeeded } from '#accounts/web/LoginNeeded.tsx'
import { formatDate } from '#format-date'
import { askOverFetch } from '#ui/api-client.ts'
import { Problems } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFocusOnResult } from '#ui/use-focus-on-result.ts'
import { usePolling } from '#ui/use-polling.ts'
import { ARCHIVE_PATH, type DataExport } from '../contract.ts'
import type { DataPage, DataResult } from './ownData.ts'

const GONE =
  'This link leads to nothing in your account: an archive is deleted after 24 hours. Below is what there is now'

const ask = () => askOverFetch('GET /api/account/data')
/** Only an archive that is being made will change. */
const isFinal = (status: DataExport | null) => status?.state !== 'making'

interface OwnDataProps extends DataPage {
  result: DataResult | undefined
  busy: boolean
}

/** The own data: requested, being made, ready, or failed. */
export function OwnData({ status: loaded, archive, isGone, result, busy }: OwnDataProps) {
  const status = usePolling(loaded, ask, isFinal)
  const state = useFocusOnResult<HTMLParagraphElement>(result?.asked && result)
  return (
    <section className="account-part" aria-labelledby="data">
      <h2 id="data">Your data</h2>
      <Problems messages={result?.problems ?? (isGone ? [GONE] : undefined)} />
      {result?.loginNeeded && <LoginNeeded />}
      <p>
        Everything that the shop stores about you, as one zip file: a text that other programs can read too,
        and your photos and documents.
      </p>
      <p role="status" ref={state} tabIndex={-1}>
        {status && WORDS[status.state](status)}
      </p>
      {status && <Actions status={status} archive={archive} busy={busy} />}
    </section>
  )
}

const announced = ({ by_letter }: DataExport) =>
  by_letter ? 'A letter comes when it is ready.' : 'This page says when it is ready.'

const WORDS: Record<DataExport['state'], (status: DataExport) => string> = {
  none: status => `It is prepared for you on request. ${announced(status)}`,
  making: status =>
    `Your data is being prepared. With many photos that takes some minutes. ${announced(status)}`,
  ready: ({ bytes, expires_at }) =>
    `Your data is ready: ${megabytes(bytes ?? 0)}. It is deleted on ${momentOf(expires_at ?? '')}.`,
  failed: () => 'Your data could not be prepared. We are sorry. Please ask for it again.',
}

function Actions({ status, archive, busy }: { status: DataExport; archive: string | null; busy: boolean }) {
  const { state, again_at } = status
  if (state === 'making')
    return (
      <p className="actions">
        <Link className="button quiet" to="/settings/account" preventScrollReset>
          Look again
        </Link>
      </p>
    )
  return (
    <>
      {again_at && <p>{`You can ask for it again from ${momentOf(again_at)} on.`}</p>}
      {state === 'ready' && (
        <p className="actions">
          {/* A file, not a page of the shop. */}
          <a
            className="button quiet"
            href={archive ? `${ARCHIVE_PATH}?archive=${encodeURIComponent(archive)}` : ARCHIVE_PATH}
          >
            Download your data
          </a>
        </p>
      )}
      {!again_at && (
        <Form method="post" action="/settings/account" preventScrollReset>
          <input type="hidden" name="intent" value="data" />
          <p className="actions">
            <SubmitButton className="button quiet" busy={busy}>
              {state === 'ready' ? 'Prepare your data anew' : 'Prepare your data'}
            </SubmitButton>
          </p>
        </Form>
      )}
    </>
  )
}

/** '1.2 MB', and 'less than 0.1 MB'. */
const megabytes = (bytes: number) => (bytes < 100_000 ? 'less than 0.1 MB' : `${(bytes / 1e6).toFixed(1)} MB`)

/** 'March 7, 2026, 14:05 UTC'. */
const momentOf = (moment: string) => `${formatDate(moment)}, ${moment.slice(11, 16)} UTC`
