import { type Upload, useUploads } from './upload.ts'

/** Progress of the photos of a form: shrinking, uploading, then the addresses of the pictures. */
export function UploadProgress({ busy, shrinking }: { busy: boolean; shrinking: boolean }) {
  const uploads = useUploads()
  const one = uploads.length === 1
  // Photos of a phone may all have one name.
  const left = [...uploads.entries()].filter(([, { url, failed }]) => !url && !failed)
  const at = uploads.length - left.length + 1
  const loading = uploads.length === 0 || left.length > 0
  return (
    <>
      {busy && left.map(([at, each]) => <Sent key={at} upload={each} one={one} />)}
      <div role="status">
        {shrinking && <p>Making the photo smaller...</p>}
        {busy && loading && <p>Loading...</p>}
        {busy && !one && left.length > 0 && <p>{`Photo ${at} of ${uploads.length}`}</p>}
        {uploads.map(
          ({ url }) =>
            url && (
              <p key={url} className="address">
                {url}
              </p>
            ),
        )}
      </div>
    </>
  )
}

function Sent({ upload: { name, part }, one }: { upload: Upload; one: boolean }) {
  return (
    <div className="sent">
      {!one && <span className="file-name">{name}</span>}
      <progress aria-label={one ? 'Upload' : `Upload of ${name}`} value={part} max={1} />
      <span aria-hidden="true">{`${Math.floor(part * 100)}%`}</span>
    </div>
  )
}
