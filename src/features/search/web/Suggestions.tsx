import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { shopPath } from '#accounts/web/MakerLink.tsx'
import { Photo, type Picture } from '#images/web/Photo.tsx'
import { categoryPath } from '#products/categories.ts'
import { listedPrice } from '#products/listed-price.ts'
import { askOverFetch, attempt } from '#ui/api-client.ts'

/** Pause in typing before suggestions load, ms. */
const PAUSE = 150

interface Suggestion {
  /** Kind, unless it is a listing. */
  kind?: 'Maker' | 'Category'
  name: string
  address: string
  /** Only for a listing. */
  piece?: { price: number; price_varies: boolean; image: Picture | null }
}

/** Suggestions below the search field: a combobox of the ARIA Authoring Practices. */
export function Suggestions({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const id = useId()
  const navigate = useNavigate()
  const [found, setFound] = useState<Suggestion[]>([])
  const [status, setStatus] = useState('')
  const [active, setActive] = useState(-1)
  const close = () => {
    cancel()
    setFound([])
    setActive(-1)
  }
  const choose = ({ address }: Suggestion) => {
    close()
    input.current?.form?.reset()
    input.current?.blur()
    void navigate(address)
  }
  const cancel = useTyped(input, async (typed, isLatest) => {
    const next = typed === '' ? [] : await suggestionsFor(typed)
    if (!isLatest()) return
    setFound(next)
    setActive(-1)
    setStatus(typed === '' ? '' : numberOf(next.length))
  })
  // Sets the ARIA attributes of the field while the list is there.
  useEffect(() => {
    const field = input.current
    if (!field) return
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-controls': id,
      'aria-expanded': String(found.length > 0),
      'aria-activedescendant': active < 0 ? '' : `${id}-${active}`,
    }
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value)
  }, [input, id, found, active])
  // Registers the key handler after every render, so that it sees the present list.
  useEffect(() => {
    const field = input.current
    if (!field) return
    const onKey = (event: KeyboardEvent) => {
      const chosen = found[active]
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (found.length === 0 || event.isComposing) return
      if (step) setActive(move(active, step, found.length))
      else if (event.key === 'Enter' && chosen) choose(chosen)
      else if (event.key === 'Escape') close()
      else return
      event.preventDefault()
    }
    field.addEventListener('keydown', onKey)
    field.addEventListener('blur', close)
    field.form?.addEventListener('submit', close)
    return () => {
      field.removeEventListener('keydown', onKey)
      field.removeEventListener('blur', close)
      field.form?.removeEventListener('submit', close)
    }
  })
  return (
    <>
      <div
        className="suggestions"
        role="listbox"
        id={id}
        aria-label="Suggestions"
        hidden={found.length === 0}
        // Prevents the field from losing the focus, which would close the list.
        onPointerDown={event => event.preventDefault()}
      >
        {found.map((suggestion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          <div
            key={suggestion.address}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onClick={() => choose(suggestion)}
          >
            {suggestion.piece && <Thumbnail image={suggestion.piece.image} />}
            <span className="name" dir="auto">
              {suggestion.name}
            </span>
            <span className="kind">{suggestion.piece ? listedPrice(suggestion.piece) : suggestion.kind}</span>
          </div>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {status}
      </p>
    </>
  )
}

/** The same size with and without a picture. */
const Thumbnail = ({ image }: { image: Picture | null }) => (
  <span className="thumbnail">{image?.width && <Photo image={image} name="" sizes="3rem" silent />}</span>
)

const numberOf = (count: number): string => {
  if (count === 0) return 'No suggestions'
  return count === 1 ? '1 suggestion' : `${count} suggestions`
}

/** Next index in a ring that includes the field itself, at -1. */
const move = (index: number, step: number, length: number): number =>
  ((index + 1 + step + length + 1) % (length + 1)) - 1

async function suggestionsFor(typed: string): Promise<Suggestion[]> {
  const { response } = await attempt(askOverFetch('GET /api/products/suggestions', { query: { q: typed } }))
  if (!response) return []
  return [
    ...response.categories.map(name => ({
      kind: 'Category' as const,
      name,
      address: categoryPath(name),
    })),
    ...response.makers.map(({ username, name }) => ({
      kind: 'Maker' as const,
      name,
      address: shopPath(username),
    })),
    ...response.listings.map(({ id, name, ...piece }) => ({ name, address: `/products/${id}`, piece })),
  ]
}

/**
 * Calls back with the field's value, debounced; also with its value at first.
 * @returns a function that makes what was typed so far no longer the latest
 */
function useTyped(
  input: RefObject<HTMLInputElement | null>,
  typed: (value: string, isLatest: () => boolean) => Promise<void>,
): () => void {
  const latest = useRef(0)
  const callback = useRef(typed)
  useEffect(() => {
    callback.current = typed
  })
  useEffect(() => {
    const field = input.current
    if (!field) return
    let pause: ReturnType<typeof setTimeout>
    const schedule = () => {
      clearTimeout(pause)
      const turn = ++latest.current
      const isLatest = () => turn === latest.current
      pause = setTimeout(() => {
        if (isLatest() && document.activeElement === field)
          void callback.current(field.value.trim(), isLatest)
      }, PAUSE)
    }
    if (field.value !== field.defaultValue) schedule()
    field.addEventListener('input', schedule)
    return () => {
      clearTimeout(pause)
      latest.current++
      field.removeEventListener('input', schedule)
    }
  }, [input])
  return () => {
    latest.current++
  }
}
