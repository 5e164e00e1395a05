import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useRevalidator } from 'react-router'
import { isPhotoField } from '#images/web/photo-fields.ts'
import { askOverFetch, attempt } from '#ui/api-client.ts'
import { isChanged } from '#ui/is-changed.ts'
import { CONTROLS, isUntouched } from '../form-listing.ts'
import { rowControlsIn } from '../row-controls.ts'
import { controlTextIn } from './listingDifferences.ts'
import { markFormSaved } from './unsaved-form.ts'

/** Pause after the last key before the form is saved, ms. */
const PAUSE_MS = 2_000
/** Delay of a retry after a temporary failure, ms. */
const RETRY_MS = 10_000

/** Keeps a body below 64 KiB, the limit of requests with `keepalive`, which outlive their page. */
const KEEPALIVE_CHARACTERS = 20_000

/** Texts of the controls that a draft has, in their order. */
const ordered = (textOf: (control: string) => string | undefined): Record<string, string> =>
  Object.fromEntries(
    [...CONTROLS, ...rowControlsIn(textOf)].flatMap(control => {
      const text = textOf(control)
      return text === undefined ? [] : [[control, text]]
    }),
  )

/** The texts of a form that a draft has. */
export const textsIn = (form: FormData): Record<string, string> => ordered(controlTextIn(form))

/** The form's draft, as the server has it. */
interface SavedDraft {
  id: number | string
  version: number | string
}

/**
 * Saves an unfinished form as a draft after each pause in typing, and when its page is left or hidden. It never
 * publishes, and never overwrites a newer version of another tab. Photos are not saved: they are sent with the form.
 * @param first the draft that the form is filled from. Undefined for a new form, whose first save adds one
 * @param isOn false for the form of a published listing
 * @param isSending whether a form is being sent: then autosave pauses
 * @returns the draft, for hidden controls of the form, and a message: when it was saved, or why not
 */
export function useAutosave(
  form: RefObject<HTMLFormElement | null>,
  first: SavedDraft | undefined,
  isOn: boolean,
  isSending: boolean,
): { draft: SavedDraft | undefined; status: string } {
  const [draft, setDraft] = useState(first)
  const [status, setStatus] = useState('')
  // After the form was sent, it has a newer version, and the page shows the result. An older one, or none, has no effect.
  const [given, setGiven] = useState(first)
  const isOther = String(first?.id) !== String(given?.id)
  if (first && (isOther || Number(first.version) > Number(given?.version))) {
    setGiven(first)
    setDraft(first)
    setStatus('')
  }
  const sending = useRef(isSending)
  useEffect(() => {
    sending.current = isSending
  }, [isSending])
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const element = form.current
    if (!element || !isOn) return
    const tell = (saved: SavedDraft | undefined, message: string) =>
      // Rendered at once: `submitted` may be about to send the form, with the version in its hidden control.
      flushSync(() => {
        if (saved) setDraft(saved)
        setStatus(message)
      })
    // The next page may list the draft.
    return autosave(element, sending, tell, () => void revalidate())
  }, [form, isOn, revalidate])
  return { draft, status }
}

/**
 * @param tell is given the draft, if it was saved, and a message
 * @param savedLate is called when the draft was saved after the form was left
 * @returns a function that stops it, after a last save
 */
function autosave(
  form: HTMLFormElement,
  sending: RefObject<boolean>,
  tell: (saved: SavedDraft | undefined, message: string) => void,
  savedLate: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving: Promise<void> | undefined
  let isLeft = false
  const texts = () => textsIn(new FormData(form))
  const control = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value
  /** Whether photos are chosen, or their order, alt texts or removal are changed. */
  const hasPhotos = () =>
    [...form.elements].some(control => {
      const { name } = control as HTMLInputElement
      return (name === 'image' || isPhotoField(name)) && isChanged(control)
    })
  /** The texts of the last request, even if its response was lost. */
  let tried = ''
  /** The texts of the stored draft, as far as this form knows. */
  let sent = control('draft_id') ? JSON.stringify(texts()) : ''
  /** Whether there is something to save. A new form whose only content is defaults is no draft. */
  const isDirty = (fields = texts()) =>
    JSON.stringify(fields) !== sent && (sent !== '' || !isUntouched(control => fields[control]))

  const save = async () => {
    clearTimeout(timer)
    const fields = texts()
    if (!isDirty(fields)) return
    const [id = '', version = '', key = ''] = ['draft_id', 'draft_version', 'key'].map(control)
    // A draft has its owner already.
    const account = id ? '' : control('account')
    const before = [sent, tried]
    tried = JSON.stringify(fields)
    const { response, problem } = await attempt(send(fields, { id, version, key, account, before }))
    if (problem) {
      tell(undefined, `Not saved as a draft: ${problem.message}`)
      if (problem.status === 0 || problem.status >= 500) later(RETRY_MS)
      return
    }
    sent = tried
    tell(response, savedAt(hasPhotos()))
    if (isLeft) savedLate()
    if (!isLeft && !hasPhotos() && !isDirty()) markFormSaved()
  }
  /** One save at a time: the next one is based on the version that the last one has made. */
  const saveNow = () => {
    if (saving || sending.current) return later()
    saving = save().finally(() => {
      saving = undefined
    })
  }
  const later = (pause = PAUSE_MS) => {
    clearTimeout(timer)
    if (!isLeft) timer = setTimeout(saveNow, pause)
  }
  let isWaiting = false
  const typed = () => later()
  const hidden = () => {
    if (document.visibilityState === 'hidden') saveNow()
  }
  /** Delays the submit until the save under way has ended, so that the form is sent with the new version. */
  const submitted = (event: SubmitEvent) => {
    later()
    if (!saving) return
    event.preventDefault()
    event.stopImmediatePropagation()
    // Pressed again meanwhile, it is sent once.
    if (isWaiting) return
    isWaiting = true
    const { submitter } = event
    void saving.then(() => {
      isWaiting = false
      form.requestSubmit(submitter)
    })
  }
  form.addEventListener('input', typed)
  form.addEventListener('submit', submitted)
  document.addEventListener('visibilitychange', hidden)
  // Typed before the scripts were there, or restored by Back.
  if (isDirty()) later()
  return () => {
    isLeft = true
    // The last save waits for the one under way, which has older texts. A submitted form needs none.
    if (!sending.current) void Promise.resolve(saving).then(save)
    form.removeEventListener('input', typed)
    form.removeEventListener('submit', submitted)
    document.removeEventListener('visibilitychange', hidden)
    clearTimeout(timer)
  }
}

/** Values of the hidden controls of the form. */
type Hidden = Record<'id' | 'version' | 'key' | 'account', string>

/**
 * Updates the draft with this id, or adds one. After a version conflict with texts that this form has sent itself, it
 * retries with the newer version: that response was lost, or came after the form was left.
 */
async function send(
  fields: Record<string, string>,
  { id, version, key, account, before }: Hidden & { before: string[] },
): Promise<SavedDraft> {
  const body = { fields }
  // A closed tab ends requests under way.
  const keepalive =
    document.visibilityState === 'hidden' && JSON.stringify(body).length < KEEPALIVE_CHARACTERS
  const headers: Record<string, string> = {
    ...(key ? { 'idempotency-key': key } : {}),
    ...(account ? { 'expected-account': account } : {}),
  }
  if (!id) return askOverFetch('POST /api/drafts/', { body, headers, keepalive })
  const params = { draftId: id }
  const put = (expected: string) =>
    askOverFetch('PUT /api/drafts/:draftId', {
      ...{ params, body, keepalive },
      headers: { 'expected-version': expected },
    })
  const { response, problem } = await attempt(put(version))
  if (response) return response
  if (problem.status !== 409) throw problem
  const now = await attempt(askOverFetch('GET /api/drafts/:draftId', { params }))
  const texts = now.response?.fields ?? {}
  const isOwn = before.includes(JSON.stringify(ordered(control => texts[control])))
  if (!now.response || !isOwn) throw problem
  return put(String(now.response.version))
}

/** @param hasPhotos whether photos are changed, which are not saved */
function savedAt(hasPhotos: boolean): string {
  const time = new Date().toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return `Saved as a draft at ${time}${hasPhotos ? ', without its photos' : ''}`
}
