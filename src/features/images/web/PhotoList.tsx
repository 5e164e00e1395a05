import { useEffect, useRef, useState } from 'react'
import type { FieldErrors } from '#problem'
import type { Image } from '../contract.ts'
import { PhotoRow } from './PhotoRow.tsx'
import { fileOf, firstRows, keyOf, moved, type PhotoRows } from './photo-rows.ts'
import { useDrag } from './useDrag.ts'
import './photoList.css'

interface Props {
  /** Stored photos. */
  images: Image[]
  /** Chosen files. */
  files: File[]
  /** Rows for these photos and files. */
  rows: PhotoRows
  setRows: (rows: PhotoRows) => void
  /** Takes a file out of the choice. */
  takeOut: (file: number) => void
  /** Typed values. */
  typed: Record<string, string> | undefined
  errors: FieldErrors
  /** Name of what is shown, instead of a broken picture. */
  name: string
  busy: boolean
}

/**
 * The photos of a form in their order, each with an alt text. They are moved by mouse or with buttons; without scripts
 * by numbers. The form says which photos are removed, so that nothing is lost before it is saved.
 */
export function PhotoList({ images, files, rows, setRows, typed, ...row }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const [said, setSaid] = useState('')
  const { drag, handle } = useDrag(list, (row, to) => move(row, to))
  const { order } = rows
  /** Rows that the typed values are of. */
  const [typedRows] = useState(() => firstRows(typed).order)
  const shown = order.join()
  const before = useRef(shown)
  useEffect(() => {
    // What follows the form, such as its preview, learns of the new order.
    if (before.current !== shown) list.current?.dispatchEvent(new Event('input', { bubbles: true }))
    before.current = shown
  }, [shown])
  const move = (moving: string, to: number) => {
    const from = order.indexOf(moving)
    if (from === to || to < 0 || to >= order.length) return
    setRows(moved(rows, moving, to))
    const cover = to === 0 ? '. It is the cover' : ''
    setSaid(`Photo ${from + 1} is now photo ${to + 1} of ${order.length}${cover}`)
  }
  return (
    <>
      <ol className="photo-list" ref={list}>
        {order.map((each, index) => (
          <PhotoRow
            {...row}
            key={each}
            typed={typedRows.includes(each) ? typed : undefined}
            field={keyOf(rows, each)}
            index={index}
            count={order.length}
            image={images.find(({ id }) => String(id) === each)}
            file={files[fileOf(rows, each)]}
            takeOut={() => row.takeOut(fileOf(rows, each))}
            move={by => move(each, index + by)}
            dragged={drag?.row === each}
            over={drag !== undefined && drag.row !== each && drag.to === index}
            handle={order.length > 1 && !row.busy ? handle(each, index) : {}}
          />
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </>
  )
}
