import { useEffect, useState } from 'react'
import { lengthOf } from '#text'

/** Below this number it is announced to screen readers. */
const ANNOUNCE_BELOW = 20
/** Pause in typing before the announcement, ms. */
const PAUSE = 1_000

interface LeftProps {
  /** Id of the counted control. */
  id: string
  limit: number
}

/** How many characters still fit, by the rules' own count. Needs scripts. */
export function CharacterCounter({ id, limit }: LeftProps) {
  const [left, setLeft] = useState<number>()
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const control = document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement
    let pause: ReturnType<typeof setTimeout>
    const count = () => {
      const now = limit - lengthOf(control.value.trim())
      setLeft(now)
      return now
    }
    const follow = () => {
      const now = count()
      clearTimeout(pause)
      pause = setTimeout(() => setAnnounced(now <= ANNOUNCE_BELOW ? textOf(now) : ''), PAUSE)
    }
    // Counts what was typed before hydration.
    count()
    control.addEventListener('input', follow)
    return () => {
      clearTimeout(pause)
      control.removeEventListener('input', follow)
    }
  }, [id, limit])
  if (left === undefined) return null
  return (
    <p className={left < 0 ? 'left over' : 'left'}>
      <span aria-hidden="true">{textOf(left)}</span>
      <span className="visually-hidden" aria-live="polite">
        {announced}
      </span>
    </p>
  )
}

const textOf = (left: number) => (left < 0 ? `${-left} too many` : `${left} left`)
