import { formatDate } from '#format-date'
import type { Agreement } from '#pages/contract.ts'

/** The pages that somebody has agreed to. Nothing if there are none. */
export function Agreements({ agreements }: { agreements: Agreement[] }) {
  if (agreements.length === 0) return null
  return (
    <section className="account-part" aria-labelledby="agreed">
      <h2 id="agreed">What you agreed to</h2>
      <ul className="points">
        {agreements.map(({ title, version, agreed_at }) => (
          <li key={version}>{`${title}, version ${version}: on ${formatDate(agreed_at)}`}</li>
        ))}
      </ul>
      <p className="hint">Your data, below, has the texts of these versions.</p>
    </section>
  )
}
