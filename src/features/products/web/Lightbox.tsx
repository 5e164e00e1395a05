import {
  type MouseEvent,
  type TouchEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Image } from '#images/contract.ts'
import { Photo } from '#images/web/Photo.tsx'
import { Icon } from '#ui/icons.tsx'
import './lightbox.css'

interface LightboxProps {
  /** Photos without broken ones. */
  images: Image[]
  /** Name of the listing. */
  name: string
  /** Index of the first photo shown. */
  first: number
}

/** Minimum sideways move of a swipe, pixels. */
const SWIPE = 48
/** Pan of the zoomed photo per arrow key, pixels. */
const STEP = 80
const arrows: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Photos in a dialog, as large as the window, with zoom and pan. */
export function Lightbox({ images, name, first }: LightboxProps) {
  const [shown, setShown] = useState(first)
  const [zoomed, setZoomed] = useState(false)
  const view = useRef<HTMLElement>(null)
  /** Centre of the zoomed view, as shares of width and height. */
  const [center, setCenter] = useState(middle)
  const image = images[shown]
  const step = (by: number) => {
    setCenter(middle)
    setShown((shown + by + images.length) % images.length)
  }
  const magnify = (at: { x: number; y: number }) => {
    setCenter(at)
    setZoomed(!zoomed)
  }
  const pressed = ({ currentTarget, clientX, clientY }: MouseEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    magnify({ x: (clientX - left) / width, y: (clientY - top) / height })
  }
  /** Where a single finger was put down. */
  const finger = useRef<{ clientX: number; clientY: number }>(undefined)
  const touched = ({ touches }: TouchEvent) => {
    finger.current = touches.length === 1 ? touches[0] : undefined
  }
  const lifted = ({ changedTouches }: TouchEvent) => {
    const up = changedTouches[0]
    const down = finger.current
    finger.current = undefined
    // A zoomed photo pans instead, also with pinch zoom.
    if (!down || !up || zoomed || images.length < 2 || (visualViewport?.scale ?? 1) > 1.01) return
    const [x, y] = [up.clientX - down.clientX, up.clientY - down.clientY]
    if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? 1 : -1)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another photo starts at its centre
  useLayoutEffect(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = view.current ?? document.body
    view.current?.scrollTo(
      center.x * scrollWidth - clientWidth / 2,
      center.y * scrollHeight - clientHeight / 2,
    )
  }, [zoomed, center, shown])
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const [x, y] = arrows[event.key] ?? [0, 0]
    if (zoomed && (x || y)) {
      view.current?.scrollBy(x * STEP, y * STEP)
      event.preventDefault()
    } else if (x && images.length > 1) step(x)
  })
  useEffect(() => {
    // Keys work with the focus anywhere in the dialog.
    const dialog = view.current?.closest('dialog')
    const onKeyDown = (event: KeyboardEvent) => onKey(event)
    dialog?.addEventListener('keydown', onKeyDown)
    return () => dialog?.removeEventListener('keydown', onKeyDown)
  }, [])
  const label = images.length > 1 ? `Photo ${shown + 1} of ${images.length}` : ''
  return (
    <div className={zoomed ? 'enlarged near' : 'enlarged'}>
      <section
        ref={view}
        className="view"
        aria-label={`Photo of ${name}`}
        // A scrollable area must be reachable by keyboard.
        tabIndex={zoomed ? 0 : undefined}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same by keyboard */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
        <div className="held" onClick={pressed} onTouchStart={touched} onTouchEnd={lifted}>
          <Photo
            key={image?.id}
            image={image}
            name={name}
            sizes={zoomed ? 'max(min(200vw, 200vh), 60rem)' : 'min(100vw, 100vh)'}
            whole={!zoomed}
            eager
            first
          />
        </div>
      </section>
      <div className="enlarged-tools">
        {images.length > 1 && (
          <button type="button" className="icon-button" aria-label="Previous photo" onClick={() => step(-1)}>
            <Icon d="M14.5 5.5 8 12l6.5 6.5" />
          </button>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label="Magnify"
          aria-pressed={zoomed}
          onClick={() => magnify(middle)}
        >
          <Icon
            d={`M17 10.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0zM15.2 15.2 20.5 20.5M7.5 10.5h6${zoomed ? '' : 'M10.5 7.5v6'}`}
          />
        </button>
        {images.length > 1 && (
          <button type="button" className="icon-button" aria-label="Next photo" onClick={() => step(1)}>
            <Icon d="M9.5 5.5 16 12l-6.5 6.5" />
          </button>
        )}
        <p role="status">{label}</p>
      </div>
    </div>
  )
}

const middle = { x: 0.5, y: 0.5 }
