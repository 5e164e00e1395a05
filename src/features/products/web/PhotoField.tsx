import { type DragEvent, type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { ACCEPT, type Image } from '#images/contract.ts'
import type { Picture } from '#images/web/Photo.tsx'
import { PhotoList } from '#images/web/PhotoList.tsx'
import { currentRows, firstRows, withoutChosen, withoutFiles } from '#images/web/photo-rows.ts'
import { chooseFiles, isLargePhoto, makeSmaller } from '#images/web/smaller.ts'
import { UploadProgress } from '#images/web/UploadProgress.tsx'
import { forgetUploads } from '#images/web/upload.ts'
import type { FieldErrors } from '#problem'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import type { ListingResult } from './parseListing.ts'

/** For a form that returned without its file. */
const CHOOSE_AGAIN = 'Please choose your photo again'

interface PhotoFieldProps {
  /** Stored photos of the listing. */
  images?: Image[] | undefined
  /** Name of the listing, shown instead of a broken picture. */
  name?: string | undefined
  /** The chosen files, and the picture of the first one if it is one. */
  files: File[]
  picture: Picture | undefined
  busy: boolean
  errors: FieldErrors
  /** Typed values. */
  typed: Record<string, string> | undefined
  result: ListingResult | undefined
}

/** Picks photos by click or drop; shows the progress of their upload, and all photos in their order. */
export function PhotoField({
  images = [],
  name = '',
  files,
  picture,
  busy,
  errors,
  typed,
  result,
}: PhotoFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const scripted = useHydrated()
  const [over, setOver] = useState(false)
  /** The result before the last choice: its error is about another photo. */
  const [before, setBefore] = useState<ListingResult>()
  const [rows, setRows] = useState(() => firstRows(typed))
  /** Set while the choice is changed here, so that it is no new one. */
  const isOurs = useRef(false)
  const replaceFiles = useCallback((left: File[]) => {
    if (!input.current) return
    isOurs.current = true
    chooseFiles(input.current, left)
    isOurs.current = false
  }, [])
  const shrinking = useShrinking(input, files, replaceFiles)
  useEffect(() => forgetUploads, [])
  const stored = useStored(images, result)
  const shown = currentRows(rows, stored, files.length)
  const takeOut = (gone: number[]) => {
    setRows(withoutFiles(shown, gone))
    replaceFiles(files.filter((_, index) => !gone.includes(index)))
  }
  // What was sent is stored: the next attempt sends the rest.
  const sent = result?.sent
  const taken = useRef<number[]>(undefined)
  // The files when the form was sent: others may be chosen meanwhile.
  const [sending, setSending] = useState({ busy, files })
  if (sending.busy !== busy) setSending({ busy, files: busy ? files : sending.files })
  useEffect(() => {
    if (!sent || taken.current === sent || files.length === 0) return
    taken.current = sent
    takeOut(sent.map(index => files.indexOf(sending.files[index] as File)).filter(index => index >= 0))
  })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!input.current || event.dataTransfer.files.length === 0) return
    // As with the file dialog one replaces the choice, what is dropped comes in addition.
    replaceFiles([...files, ...event.dataTransfer.files])
    setBefore(result)
  }
  const remove = () => {
    if (!input.current) return
    chooseFiles(input.current, [])
    input.current.focus()
  }
  const chosen = () => {
    if (isOurs.current) return
    setBefore(result)
    setRows(withoutChosen(shown))
  }
  const error = errors.image
  const lost = result?.photoLost && files.length === 0 ? CHOOSE_AGAIN : undefined
  const reason = error ?? (result !== before && !busy ? (result?.reason ?? lost) : undefined)
  const described = [`${id}-hint`, reason && `${id}-error`].filter(Boolean).join(' ')
  const [file] = files
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
        <p aria-live="polite">
          {files.length > 1 ? `${files.length} photos chosen` : (file?.name ?? 'Drag and drop an image')}
        </p>
        <div className="choice">
          <input
            ref={input}
            id={id}
            type="file"
            name="image"
            multiple
            accept={ACCEPT}
            aria-invalid={error ? true : undefined}
            aria-describedby={described}
            onChange={chosen}
          />
          {scripted && (
            <span className="button quiet" aria-hidden="true">
              {files.length > 1 ? 'Choose others' : file ? 'Choose another' : 'Choose a photo'}
            </span>
          )}
          {file && (
            <button className="button quiet" type="button" disabled={busy} onClick={remove}>
              {files.length > 1 ? 'Remove these photos' : 'Remove photo'}
            </button>
          )}
        </div>
        <UploadProgress busy={busy} shrinking={shrinking} />
      </div>
      <p className="hint" id={`${id}-hint`}>
        jpeg, png, webp, avif, gif or pdf, at most 10 MB
        {scripted
          ? '; larger jpeg, png and avif photos are made smaller before they are sent. Several can be chosen at once'
          : '. Several can be chosen at once, of at most 10 MB together'}
      </p>
      {reason && (
        <p className="error" id={`${id}-error`}>
          {reason}
        </p>
      )}
      {result?.id && <Retry result={result} busy={busy} described={reason ? `${id}-error` : undefined} />}
      <PhotoList
        images={stored}
        rows={shown}
        takeOut={file => {
          takeOut([file])
          // The pressed button is gone.
          input.current?.focus()
        }}
        {...{ files, setRows, typed, errors, name, busy }}
      />
    </div>
  )
}

/** Makes large photos smaller, one after the other. @returns whether it is under way */
function useShrinking(
  input: RefObject<HTMLInputElement | null>,
  files: File[],
  replaceFiles: (files: File[]) => void,
): boolean {
  /** Large photos that were shrunk, or could not be. */
  const [tried, setTried] = useState<File[]>([])
  const large = files.find(file => isLargePhoto(file) && !tried.includes(file))
  useEffect(() => {
    if (!input.current || !large) return
    makeSmaller(input.current, large, replaceFiles).then(() => setTried(before => [...before, large]))
  }, [input, large, replaceFiles])
  return large !== undefined
}

/** The photos that are stored: after a failed upload, those of its response. */
function useStored(images: Image[], result: ListingResult | undefined): Image[] {
  const [last, setLast] = useState(result?.images)
  if (result?.images && result.images !== last) setLast(result.images)
  return result?.images ?? last ?? images
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
