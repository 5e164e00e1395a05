import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useFetcher, useSearchParams } from 'react-router'
import type { CartLine } from '#cart/contract.ts'
import { type CartResult, UNDO } from '#cart/web/cartForm.ts'
import { useChange } from '#cart/web/optimisticCart.ts'
import { Problems } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useTransient } from '#ui/use-transient.ts'

/** How long a removal is shown and can be undone, ms. */
const MESSAGE_MS = 3_000
const UNDO_MS = 20_000

/**
 * Announces a removed line, with an undo button. It belongs to the page, because the line itself is gone. Without scripts it
 * also says that what was chosen is saved.
 */
export function Removals({ lines, result }: { lines: CartLine[]; result: CartResult | undefined }) {
  const [latest, setLatest] = useState(result)
  const last = latest ?? result
  const shown = useTransient(last, MESSAGE_MS)
  const offered = useTransient(last, UNDO_MS)
  const inAddress = useSearchParams()[0].get(UNDO)
  const [seen, setSeen] = useState<number[]>([])
  const news = lines.flatMap(({ id }) => (seen.includes(id) ? [] : [id]))
  if (news.length > 0) setSeen([...seen, ...news])
  const undo = offered?.removed ? (offered.undo ?? (latest === result ? inAddress : null)) : null
  return (
    <div className="removal">
      <p className="message" role="status">
        {shown?.removed ?? (shown?.saved && 'Saved')}
        {seen.map(id => (
          <Removal key={id} id={id} onRemoved={setLatest} />
        ))}
      </p>
      <Undo undo={undo} onDone={() => setLatest({})} />
    </div>
  )
}

/** Restores a removed line and focuses it. */
function Undo({ undo, onDone }: { undo: string | null; onDone: () => void }) {
  const { Form, data, state } = useFetcher<CartResult | null>({ key: 'cart undo' })
  const isRefused = data?.problems !== undefined
  const busy = state === 'submitting' || (state === 'loading' && !isRefused)
  /** The removal that was to be undone last. */
  const [tried, setTried] = useState('')
  const sent = useRef('')
  const done = useEffectEvent(() => {
    if (!sent.current || data === undefined || isRefused) return
    const [product] = sent.current.split('x')
    // The last line of the listing: there may be others, with other answers.
    const line = [
      ...document.querySelectorAll<HTMLElement>(
        `.cart-line:has(a[href="/products/${product}"]) button[value=remove]`,
      ),
    ].at(-1)
    sent.current = ''
    onDone()
    line?.focus()
  })
  useEffect(() => {
    if (state === 'idle') done()
  }, [state])
  return (
    <>
      {undo && (
        <Form
          method="post"
          action="/cart"
          onSubmit={() => {
            sent.current = undo
            setTried(undo)
          }}
        >
          <input type="hidden" name={UNDO} value={undo} />
          <SubmitButton className="button quiet" busy={busy} name="intent" value="undo">
            Undo
          </SubmitButton>
        </Form>
      )}
      {undo === tried && <Problems messages={data?.problems} of={data ?? null} />}
    </>
  )
}

/** Follows the changes of a line, also after it is removed. */
function Removal({ id, onRemoved }: { id: number; onRemoved: (result: CartResult) => void }) {
  const { data } = useChange(id)
  useEffect(() => {
    if (data?.removed) onRemoved(data)
  }, [data, onRemoved])
  return null
}
