import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Problem } from '#problem'
import { Problems } from '#ui/fields.tsx'
import { sendFile } from '#ui/send-file.ts'
import { useHydrated } from '#ui/use-hydrated.ts'
import { MAX_ZIP_BYTES, MAX_ZIP_ENTRIES, PHOTOS_PAGE, ZIP_PATH, type ZipPlan } from '../contract.ts'

const TOO_MUCH = `A folder can have at most ${MAX_ZIP_BYTES / 2 ** 20} MB and ${MAX_ZIP_ENTRIES.toLocaleString('en')} files; please choose its parts one after the other`

/** A folder of photos, which the browser sends as a zip. Only with scripts: without them a zip can be sent. */
export function FolderForm() {
  const isHydrated = useHydrated()
  const navigate = useNavigate()
  const [sent, setSent] = useState<number>()
  const [problems, setProblems] = useState<string[]>()
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  if (!isHydrated) return null
  const send = async (files: File[]) => {
    if (sent !== undefined) return
    setProblems(undefined)
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    if (files.length === 0) return setProblems(['Please choose a folder with photos'])
    if (bytes > MAX_ZIP_BYTES || files.length > MAX_ZIP_ENTRIES) return setProblems([TOO_MUCH])
    setSent(0)
    try {
      const plan = (await sendFile(ZIP_PATH, 'zip', await zipOf(files), { onProgress: setSent })) as ZipPlan
      const { drafts, taken, here, unknown } = plan
      const counts = Object.entries({ drafts, taken, here, unknown }).map(([name, count]) => [
        name,
        String(count),
      ])
      // No redirect if the user has left the page meanwhile.
      if (!isLeft.current) await navigate(`${PHOTOS_PAGE}?${new URLSearchParams(counts)}`)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      setProblems(error.errors)
    } finally {
      setSent(undefined)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const chosen = new FormData(event.currentTarget).getAll('photo')
    void send(chosen.filter(file => file instanceof File && file.size > 0) as File[])
  }
  return (
    <>
      <h2 id="folder">A folder of photos</h2>
      <form onSubmit={submit} aria-labelledby="folder">
        <Problems messages={problems} />
        <div className="field">
          <label htmlFor="folder-files">Folder</label>
          <input id="folder-files" type="file" name="photo" multiple {...{ webkitdirectory: '' }} />
          <p className="hint">Its photos find their drafts as those of a zip.</p>
        </div>
        {sent !== undefined && <progress aria-label="Photos that are sent" value={sent} max={1} />}
        <p className="actions">
          <button type="submit" className="button quiet" aria-disabled={sent !== undefined}>
            Send the folder
          </button>
        </p>
      </form>
    </>
  )
}

/** The files in a zip, with their folders. It is made from the disk, not in memory. */
async function zipOf(files: File[]): Promise<File> {
  const { downloadZip } = await import('client-zip')
  const entries = files.map(file => ({ name: file.webkitRelativePath || file.name, input: file }))
  return new File([await downloadZip(entries).blob()], 'photos.zip', { type: 'application/zip' })
}
