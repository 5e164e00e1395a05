import { useFetchers } from 'react-router'
import { useMessage } from '#web/messages.ts'
import type { CartResult } from './cart.ts'

/** How long the removal of an item is told, milliseconds. */
const MESSAGE_MS = 3_000

/** Tells that an item is gone. Its own form went with it, so the message stands above the list. */
export function RemovedMessage({ result }: { result: CartResult | undefined }) {
  const latest = useFetchers().findLast(fetcher => (fetcher.data as CartResult | null)?.removed)?.data as CartResult | undefined
  const shown = useMessage(latest ?? result, MESSAGE_MS)
  return (
    <p className="message" role="status">
      {shown?.removed}
    </p>
  )
}
