import { type Ref, useId } from 'react'
import { ACCEPT_PORTRAIT } from '#images/contract.ts'
import { chooseFiles, isLargePhoto, makeSmaller } from '#images/web/smaller.ts'
import { useHydrated } from '#ui/use-hydrated.ts'

interface PictureFieldProps {
  label: string
  error: string | undefined
  ref: Ref<HTMLInputElement>
}

/** Chooses a picture of the shop page: large photos are made smaller before they are sent. */
export function PictureField({ label, error, ref }: PictureFieldProps) {
  const id = useId()
  const scripted = useHydrated()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        ref={ref}
        id={id}
        type="file"
        name="image"
        accept={ACCEPT_PORTRAIT}
        onChange={({ currentTarget: input }) => {
          const [file] = input.files ?? []
          if (isLargePhoto(file)) void makeSmaller(input, file, files => chooseFiles(input, files))
        }}
        aria-invalid={error ? true : undefined}
        aria-describedby={[`${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')}
      />
      <p className="hint" id={`${id}-hint`}>
        jpeg, png, webp, avif or gif, at most 10 MB
        {scripted && '; larger photos are made smaller before they are sent'}
      </p>
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
