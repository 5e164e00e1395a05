import { useEffect, useState } from 'react'
import { useMessage } from '#web/messages.ts'
import type { CartLine } from '../contract.ts'
import type { CartResult } from './cart.ts'
import { useChange } from './expected.ts'

/** How long the removal of an item is told, milliseconds. */
const MESSAGE_MS = 3_000

/** Tells that an item is gone. The page holds this, because what an item shows goes with the item. */
export function Removals({ lines, result }: { lines: CartLine[]; result: CartResult | undefined }) {
  const [told, tell] = useState(result)
  const shown = useMessage(told ?? result, MESSAGE_MS)
  const [seen, see] = useState<number[]>([])
  const news = lines.flatMap(({ id }) => (seen.includes(id) ? [] : [id]))
  if (news.length > 0) see([...seen, ...news])
  return (
    <p className="message" role="status">
      {shown?.removed}
      {seen.map(id => (
        <Removal key={id} id={id} tell={tell} />
      ))}
    </p>
  )
}

/** Listens to the changes of a line, also when it is gone. */
function Removal({ id, tell }: { id: number; tell: (result: CartResult) => void }) {
  const { data } = useChange(id)
  useEffect(() => {
    if (data?.removed) tell(data)
  }, [data, tell])
  return null
}
