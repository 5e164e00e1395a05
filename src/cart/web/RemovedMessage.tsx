import { useFetcher } from 'react-router'
import { Problems } from '#web/fields.tsx'
import { useMessage } from '#web/messages.ts'
import type { CartResult } from './cart.ts'

/** How long the removal of an item is told, milliseconds. */
const MESSAGE_MS = 3_000

/** Removes items. The page holds it, because an item's own form goes with the item. */
export const useRemoval = () => useFetcher<CartResult>({ key: 'removal' })

/** Tells that an item is gone, or why it is not. */
export function RemovedMessage({ result }: { result: CartResult | undefined }) {
  const { data } = useRemoval()
  const shown = useMessage(data ?? result, MESSAGE_MS)
  return (
    <>
      <p className="message" role="status">
        {shown?.removed}
      </p>
      <Problems messages={data?.problems} />
    </>
  )
}
