import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { ACCEPT, type Image } from '#images/contract.ts'
import { forgetUpload, useUpload } from './upload.ts'

interface PhotoFieldProps {
  /** Photos that the listing already has. */
  images?: Image[] | undefined
  busy: boolean
  error?: string | undefined
}

/** A photo dropped here or picked from the disk; while it is sent, how far it is. */
export function PhotoField({ images = [], busy, error }: PhotoFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [fileName, setFileName] = useState<string>()
  const [over, setOver] = useState(false)
  const upload = useUpload()
  useEffect(() => forgetUpload, [])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!input.current || event.dataTransfer.files.length === 0) return
    input.current.files = event.dataTransfer.files
    // Tells the form as a choice by hand would.
    input.current.dispatchEvent(new Event('input', { bubbles: true }))
    input.current.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const described = [`${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>Photos and video</label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file picker inside does the same by keyboard */}
      <div
        className={over ? 'drop-zone over' : 'drop-zone'}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <p aria-live="polite">{fileName ?? 'Drag and drop an image'}</p>
        <input
          ref={input}
          id={id}
          type="file"
          name="image"
          accept={ACCEPT}
          aria-invalid={error ? true : undefined}
          aria-describedby={described}
          onChange={event => setFileName(event.currentTarget.files?.[0]?.name)}
        />
        <Progress busy={busy} part={upload?.part} url={upload?.url} />
      </div>
      <p className="hint" id={`${id}-hint`}>
        jpeg, png, gif or pdf, at most 10 MB
      </p>
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <Addresses images={images} />
    </div>
  )
}

function Progress({ busy, part, url }: { busy: boolean; part: number | undefined; url: string | undefined }) {
  return (
    <div role="status">
      {busy && !url && <p>Loading...</p>}
      {busy && part !== undefined && !url && <progress aria-label="Upload" value={part} max={1} />}
      {url && <p className="address">{url}</p>}
    </div>
  )
}

/** The photos that are already there, with their addresses. */
function Addresses({ images }: { images: Image[] }) {
  if (images.length === 0) return null
  return (
    <ul className="addresses">
      {images.map(image => (
        <li key={image.id}>
          {image.width && <img src={image.url} alt="" width="56" height="56" loading="lazy" />}
          <a className="address" href={image.url}>
            {image.url}
          </a>
        </li>
      ))}
    </ul>
  )
}
