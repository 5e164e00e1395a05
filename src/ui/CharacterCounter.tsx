import { useEffect, useState } from 'react'
import { lengthOf } from '#contract'

/** From here on the number is read out. */
const FEW = 20
/** How long nobody types before it is, milliseconds. */
const PAUSE = 1_000

interface LeftProps {
  /** Of the control whose characters are counted. */
  id: string
  limit: number
}

/** How many characters still fit, counted as the rules count them. Without scripts nobody counts. */
export function CharacterCounter({ id, limit }: LeftProps) {
  const [left, setLeft] = useState<number>()
  const [said, setSaid] = useState('')
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
      pause = setTimeout(() => setSaid(now <= FEW ? wordsOf(now) : ''), PAUSE)
    }
    // Also what was typed before the scripts took over.
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
      <span aria-hidden="true">{wordsOf(left)}</span>
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
    </p>
  )
}

const wordsOf = (left: number) => (left < 0 ? `${-left} too many` : `${left} left`)
