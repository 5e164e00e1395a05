import { type HTMLAttributes, useEffect, useRef, useState } from 'react'
import type { FieldErrors } from '#problem'
import { TextAreaField, TextField } from '#ui/fields.tsx'
import { Icon } from '#ui/icons.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import { ALT_LENGTH, type Image, MAX_IMAGES } from '../contract.ts'
import { Photo } from './Photo.tsx'
import { altOf, placeOf, removedOf } from './photo-fields.ts'
import { usePicture } from './usePicture.ts'

interface Props {
  /** The key of its fields. */
  field: string
  index: number
  count: number
  /** A stored photo, or a chosen file. */
  image: Image | undefined
  file: File | undefined
  name: string
  typed: Record<string, string> | undefined
  errors: FieldErrors
  busy: boolean
  takeOut: () => void
  move: (by: number) => void
  dragged: boolean
  /** Whether the photo that is dragged would come here. */
  over: boolean
  /** Listeners of its picture, for the mouse. */
  handle: HTMLAttributes<HTMLElement>
}

/** A photo of a form with its place, alt text and removal. */
export function PhotoRow(props: Props) {
  const { field, index, count, image, file, name, typed, errors, busy } = props
  const scripted = useHydrated()
  const number = index + 1
  const chosen = usePicture(file)
  return (
    <li className={[props.dragged && 'dragged', props.over && 'over'].filter(Boolean).join(' ') || undefined}>
      <span className={scripted && count > 1 ? 'handle movable' : 'handle'} {...props.handle}>
        <Photo
          image={image ?? chosen}
          name={file?.name ?? name}
          sizes="6rem"
          silent
          eager={file !== undefined}
        />
      </span>
      <div className="about">
        <p className="which">
          {`Photo ${number}`} {index === 0 && <span className="cover">Cover</span>}
        </p>
        {image && (
          <a className="address" href={image.url}>
            {image.url}
          </a>
        )}
        <Place field={placeOf(field)} index={index} error={errors[placeOf(field)]} />
        <TextAreaField
          label={`Alt text of photo ${number}`}
          hint="What it shows, for people who cannot see it"
          name={altOf(field)}
          rows={2}
          limit={ALT_LENGTH}
          defaultValue={typed?.[altOf(field)] ?? image?.alt ?? ''}
          error={errors[altOf(field)]}
        />
        <div className="tools">
          {scripted && count > 1 && (
            <>
              <Mover {...{ number, busy }} by={-1} off={index === 0} move={props.move} />
              <Mover {...{ number, busy }} by={1} off={number === count} move={props.move} />
            </>
          )}
          {image && (
            <label className="on-saving">
              <input
                type="checkbox"
                name={removedOf(field)}
                value="yes"
                defaultChecked={typed?.[removedOf(field)] !== undefined}
              />
              {`Remove photo ${number} on saving`}
            </label>
          )}
          {file && count > 1 && (
            <button className="button quiet" type="button" disabled={busy} onClick={props.takeOut}>
              {`Take out photo ${number}`}
            </button>
          )}
        </div>
      </div>
    </li>
  )
}

/** The place as a number. With scripts there are buttons instead, and it follows them. */
function Place({ field, index, error }: { field: string; index: number; error: string | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  const [first] = useState(index + 1)
  const last = useRef(index)
  useEffect(() => {
    if (input.current && last.current !== index) input.current.value = String(index + 1)
    last.current = index
  }, [index])
  return (
    <div className="place">
      <TextField
        ref={input}
        label={`Place of photo ${index + 1}`}
        name={field}
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_IMAGES}
        defaultValue={first}
        error={error}
      />
    </div>
  )
}

interface MoverProps {
  number: number
  by: -1 | 1
  /** Whether it is at the end already. The button stays, so that it keeps the focus. */
  off: boolean
  busy: boolean
  move: (by: number) => void
}

/** Moves a photo by one place. */
const Mover = ({ number, by, off, busy, move }: MoverProps) => (
  <button
    type="button"
    className="icon-button"
    aria-label={`Move photo ${number} ${by < 0 ? 'forward' : 'back'}`}
    aria-disabled={off || undefined}
    disabled={busy}
    onClick={() => move(by)}
  >
    <Icon d={by < 0 ? 'M5.5 14.5 12 8l6.5 6.5' : 'M5.5 9.5 12 16l6.5-6.5'} />
  </button>
)
