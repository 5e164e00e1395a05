import { type ReactNode, useEffect, useRef, useState } from 'react'
import { StarIcon } from '#ui/icons.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import './reviews.css'

/**
 * A select of one to five stars, and with scripts five stars that choose in it by pointer. For keyboards and screen readers the
 * select stays the only control.
 * @param children the field of the select
 */
export function StarPicker({ children }: { children: ReactNode }) {
  const isHydrated = useHydrated()
  const field = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(0)
  const select = () => field.current?.querySelector('select')
  const follow = () => setChosen(Number(select()?.value))
  // Something may have been chosen before the scripts came.
  useEffect(() => setChosen(Number(field.current?.querySelector('select')?.value)), [])
  const choose = (stars: number) => {
    const element = select()
    if (!element) return
    element.value = String(stars)
    element.dispatchEvent(new Event('input', { bubbles: true }))
    element.dispatchEvent(new Event('change', { bubbles: true }))
    element.focus()
  }
  return (
    <div className="star-picker" ref={field} onChange={follow}>
      {children}
      {isHydrated && (
        <span className="stars" aria-hidden="true">
          {[1, 2, 3, 4, 5].map(n => (
            // biome-ignore lint/a11y: a shortcut for pointers; the select does the same for everybody
            <span key={n} className="press-star" onClick={() => choose(n)}>
              <StarIcon filled={n <= chosen} />
            </span>
          ))}
        </span>
      )}
    </div>
  )
}
