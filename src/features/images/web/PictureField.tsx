import { type Ref, useId } from 'react'
import { useHydrated } from '#ui/use-hydrated.ts'
import { ACCEPT_PICTURES } from '../contract.ts'
import { chooseFiles, isLargePhoto, makeSmaller } from './smaller.ts'

interface PictureFieldProps {
  label: string
  /** Name of the field; default: 'image'. */
  name?: string
  error: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** Chooses a picture, not a document: large photos are made smaller before they are sent. */
export function PictureField({ label, name = 'image', error, ref }: PictureFieldProps) {
  const id = useId()
  const scripted = useHydrated()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        ref={ref}
        id={id}
        type="file"
        name={name}
        accept={ACCEPT_PICTURES}
        onChange={({ currentTarget: input }) => {
          const [file] = input.files ?? []
          if (isLargePhoto(file)) void makeSmaller(input, file, files => chooseFiles(input, files))
        }}
        aria-invalid={error ? true : undefined}
        aria-describedby={[`${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')}
      />
      <p className="hint" id={`${id}-hint`}>
        jpeg, png, webp, avif or gif, at most 10 MB
        {scripted && '; larger jpeg, png and avif photos are made smaller before they are sent'}
      </p>
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
