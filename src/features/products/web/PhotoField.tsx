import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { ACCEPT, type Image } from '#images/contract.ts'
import { Photo, type Picture } from '#images/web/Photo.tsx'
import { isLargePhoto, makeSmaller } from '#images/web/smaller.ts'
import { forgetUpload, useUpload } from '#images/web/upload.ts'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import type { ListingResult } from './parseListing.ts'

/** For a form that returned without its file. */
const CHOOSE_AGAIN = 'Please choose your photo again'

interface PhotoFieldProps {
  /** Existing photos of the listing. */
  images?: Image[] | undefined
  /** Name of the listing, shown instead of a broken picture. */
  name?: string | undefined
  /** The chosen file, and its picture if it is one. */
  file: File | undefined
  picture: Picture | undefined
  busy: boolean
  error: string | undefined
  result: ListingResult | undefined
}

/** Picks a photo by click or drop; shows the progress of its upload. */
export function PhotoField({ images = [], name = '', file, picture, busy, error, result }: PhotoFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const scripted = useHydrated()
  const [over, setOver] = useState(false)
  /** The result before the last choice: its error is about another photo. */
  const [answered, setAnswered] = useState<ListingResult>()
  /** The large photo that was shrunk last, or could not be. */
  const [tried, setTried] = useState<File>()
  const shrinking = isLargePhoto(file) && file !== tried
  useEffect(() => forgetUpload, [])
  useEffect(() => {
    if (input.current && isLargePhoto(file)) makeSmaller(input.current).then(() => setTried(file))
  }, [file])
  /** Fires the events of a choice by hand. */
  const changed = () => {
    input.current?.dispatchEvent(new Event('input', { bubbles: true }))
    input.current?.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!input.current || event.dataTransfer.files.length === 0) return
    input.current.files = event.dataTransfer.files
    changed()
  }
  const remove = () => {
    if (!input.current) return
    input.current.value = ''
    changed()
    input.current.focus()
  }
  const lost = result?.photoLost && !file ? CHOOSE_AGAIN : undefined
  const reason = error ?? (result !== answered && !busy ? (result?.reason ?? lost) : undefined)
  const described = [`${id}-hint`, reason && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>Photos and video</label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file picker inside works by keyboard */}
      <div
        className={['drop-zone', over && 'over', scripted && 'scripted'].filter(Boolean).join(' ')}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {picture && <img className="thumbnail" src={picture.url} alt="" width="96" height="96" />}
        <p aria-live="polite">{file?.name ?? 'Drag and drop an image'}</p>
        <div className="choice">
          <input
            ref={input}
            id={id}
            type="file"
            name="image"
            accept={ACCEPT}
            aria-invalid={error ? true : undefined}
            aria-describedby={described}
            onChange={() => setAnswered(result)}
          />
          {scripted && (
            <span className="button quiet" aria-hidden="true">
              {file ? 'Choose another' : 'Choose a photo'}
            </span>
          )}
          {file && (
            <button className="button quiet" type="button" disabled={busy} onClick={remove}>
              Remove photo
            </button>
          )}
        </div>
        <Progress busy={busy} shrinking={shrinking} />
      </div>
      <p className="hint" id={`${id}-hint`}>
        jpeg, png, webp, avif, gif or pdf, at most 10 MB
        {scripted && '; larger photos are made smaller before they are sent'}
      </p>
      {reason && (
        <p className="error" id={`${id}-error`}>
          {reason}
        </p>
      )}
      {result?.id && <Retry result={result} busy={busy} described={reason ? `${id}-error` : undefined} />}
      <Addresses images={images} name={name} />
    </div>
  )
}

interface RetryProps {
  result: ListingResult
  busy: boolean
  described: string | undefined
}

/** Sends the form again if only the photo is missing. Takes the focus. */
function Retry({ result, busy, described }: RetryProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (result.reason) button.current?.focus()
  }, [result])
  return (
    <SubmitButton ref={button} className="button quiet again" busy={busy} aria-describedby={described}>
      Try the upload again
    </SubmitButton>
  )
}

/** Progress: shrinking, uploading, then the address of the picture. */
function Progress({ busy, shrinking }: { busy: boolean; shrinking: boolean }) {
  const { part, url } = useUpload() ?? {}
  const percent = part === undefined ? undefined : `${Math.floor(part * 100)}%`
  return (
    <>
      {busy && percent && !url && (
        <div className="sent">
          <progress aria-label="Upload" value={part} max={1} />
          <span aria-hidden="true">{percent}</span>
        </div>
      )}
      <div role="status">
        {shrinking && <p>Making the photo smaller...</p>}
        {busy && !url && <p>Loading...</p>}
        {url && <p className="address">{url}</p>}
      </div>
    </>
  )
}

/** Existing photos with their addresses. */
function Addresses({ images, name }: { images: Image[]; name: string }) {
  if (images.length === 0) return null
  return (
    <ul className="addresses">
      {images.map(image => (
        <li key={image.id}>
          {image.width && <Photo image={image} name={name} sizes="3.5rem" silent />}
          <a className="address" href={image.url}>
            {image.url}
          </a>
        </li>
      ))}
    </ul>
  )
}
